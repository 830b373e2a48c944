/* SwiftPM requires a source file. The function is in the header, so that Swift can inline it. */
#include "prefetch.h"
