/* libFuzzer brings the main function; what it calls is in FuzzTargets. */
typedef int fuzzer_is_elsewhere;
