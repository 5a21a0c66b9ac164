/** Memory of a thread that is not in its JavaScript heap. */
export interface CountedMemory {
  readonly wasmBytes: number;
  /** buffers and textures on the GPU; textures are counted with four bytes a texel */
  readonly gpuBytes: number;
}
