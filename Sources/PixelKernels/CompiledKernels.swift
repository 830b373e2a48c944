import PixelTypes

/// The row kernels as plain loops, built for whatever the module that holds them is built for.
///
/// These sources are the specification as much as the portable build: the same files are compiled
/// again for wider instruction sets and must give the same bits there. Hence plain loops over
/// pointers, wrapping operators in the narrowest integer type that is exact (the compiler vectorises
/// those for each instruction set), no fused multiply-add, and nothing generic that is not inlined:
/// its weak symbol would be shared by the builds, and the linker would keep that of any of them.
///
/// Safety: each kernel reads and writes exactly the samples that its comment in `RowKernels` names,
/// through pointers that the caller owns, and keeps none of them.
public enum CompiledKernels: RowKernels {}
