/* SwiftPM asks for a source; the function is the header's, so that Swift can inline it. */
#include "prefetch.h"
