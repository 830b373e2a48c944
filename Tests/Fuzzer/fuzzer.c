/* libFuzzer provides the main function, and FuzzTargets provides the function that it calls. */
typedef int fuzzer_is_elsewhere;
