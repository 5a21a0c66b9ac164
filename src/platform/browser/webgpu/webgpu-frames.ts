import type { CropAttributes, ResizeAttributes, RotateAttributes } from '../../../config/machine-config.ts';
import { checkMapSize, type UndistortionMap } from '../../../vision/camera-model/undistort.ts';
import { toRgba8, type Rgba8Frame } from '../../../vision/frame-formats.ts';
import type { Frame } from '../../../vision/frame.ts';
import type { InputSpec } from '../../../vision/preprocess/input-spec.ts';
import { preprocess } from '../../../vision/preprocess/preprocess.ts';
import type { Tensor } from '../../../vision/tensor.ts';
import {
  cropPasses,
  resizeBilinearPasses,
  resizeNearestPasses,
  rotatePasses,
  undistortPasses,
  type PicturePasses,
  type Size,
} from './frame-passes.ts';
import { packTensorPass } from './pack-tensor-pass.ts';
import { WebGpuCompute } from './webgpu-compute.ts';

/**
 * The machine's frame arithmetic in WebGPU compute shaders. All of it equals the CPU reference bit for bit but free rotation, which
 * stays within 1 level (a pixel of alpha 0 may have any colour).
 * Results are read back and belong to the caller. Every method rejects with a WebGpuError, and as its reference does.
 */
export class WebGpuFrames {
  readonly #compute: WebGpuCompute;

  constructor(compute: WebGpuCompute) {
    this.#compute = compute;
  }

  /** @throws WebGpuError unavailable */
  static async open(): Promise<WebGpuFrames> {
    return new WebGpuFrames(await WebGpuCompute.open());
  }

  /** Rejects with device-lost when the device goes away; never resolves. */
  get lost(): Promise<never> {
    return this.#compute.lost;
  }

  /** Frees the GPU device. */
  close(): void {
    this.#compute.close();
  }

  async crop(frame: Frame, attributes: CropAttributes): Promise<Rgba8Frame> {
    return this.#picture(frame, cropPasses(frame, attributes));
  }

  async resizeNearest(frame: Frame, attributes: ResizeAttributes): Promise<Rgba8Frame> {
    return this.#picture(frame, resizeNearestPasses(frame, attributes));
  }

  /** The antialiased stretch, composited on black. */
  async resizeBilinear(frame: Rgba8Frame, size: Size): Promise<Rgba8Frame> {
    return this.#picture(frame, resizeBilinearPasses(frame, size));
  }

  async rotate(frame: Frame, attributes: RotateAttributes): Promise<Rgba8Frame> {
    return this.#picture(frame, rotatePasses(frame, attributes));
  }

  async undistort(frame: Frame, map: UndistortionMap): Promise<Rgba8Frame> {
    checkMapSize(frame, map);
    return this.#picture(frame, undistortPasses(map));
  }

  /** As the reference; a 16-bit frame, which needs finer weights than 32-bit sums hold, is given to the reference itself. */
  async preprocess(frame: Frame, spec: InputSpec): Promise<Tensor> {
    if (frame.format === 'rgba16') return preprocess(frame, spec);
    const widthPx = spec.widthPx ?? frame.widthPx;
    const heightPx = spec.heightPx ?? frame.heightPx;
    const { passes } = resizeBilinearPasses(frame, { widthPx, heightPx });
    const pack = packTensorPass({ widthPx, heightPx }, frame.format === 'ycbcr8', spec);
    const words = await this.#compute.run(frame.samples, [...passes, pack]);
    return {
      dtype: spec.dtype,
      shape: spec.layout === 'nchw' ? [1, 3, heightPx, widthPx] : [1, heightPx, widthPx, 3],
      data: spec.dtype === 'float32' ? new Float32Array(words) : new Uint8Array(words, 0, 3 * widthPx * heightPx),
    };
  }

  async #picture(frame: Frame, { widthPx, heightPx, passes }: PicturePasses): Promise<Rgba8Frame> {
    const samples = new Uint8ClampedArray(await this.#compute.run(toRgba8(frame).samples, passes));
    return { format: 'rgba8', widthPx, heightPx, samples };
  }
}
