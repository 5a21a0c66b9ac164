/** What a thread holds that no heap counts. */
export interface CountedMemory {
  readonly wasmBytes: number;
  /** buffers, and textures at four bytes a texel */
  readonly gpuBytes: number;
}
