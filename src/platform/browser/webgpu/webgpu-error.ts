export type WebGpuErrorCode =
  | 'unavailable' // this browser has no WebGPU, or no adapter for it
  | 'device-lost' // the GPU went away, or this object was closed; open another
  | 'too-large' // a frame beyond the adapter's limits
  | 'out-of-memory' // the GPU's memory is full
  | 'runtime'; // anything else that the driver says

/** A GPU that cannot do what was asked; the CPU reference always can. */
export class WebGpuError extends Error {
  override readonly name = 'WebGpuError';
  readonly code: WebGpuErrorCode;
  constructor(code: WebGpuErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
