import type { Frame, FrameSize } from '../frame/frame.ts';

/** A place on a picture, in pixels; whole numbers are pixel centres, so a picture spans -0.5 to its width - 0.5. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How the GPU does a step: one run of a shader that writes every pixel of the new picture. */
export interface GpuPass {
  /** the shader's WGSL file in src/platform/browser/webgpu, without the ending */
  readonly shader: string;
  readonly entryPoint: string;
  /** 32-bit integers, as the shader's Params has them */
  readonly params: readonly number[];
  readonly tables?: readonly Int32Array<ArrayBuffer>[];
  /** how pixels are prepared: 'straight' where the shader computes with colours; absent where it only moves pixels */
  readonly reads?: 'straight';
  /** the colours that the reference leaves; absent where they stay as the shader left them */
  readonly leaves?: 'straight' | 'on black';
  /** true where the new picture has transparent pixels that the old one had not */
  readonly uncovers?: boolean;
  /** why 32 bits do not hold what this size needs, in sentences; absent where they do */
  readonly tooLarge?: string;
}

/** Where a point of the picture after a step was before it, unrounded. */
export type TraceBack<A> = (point: Point, attributes: A, after: FrameSize, before: FrameSize) => Point;

/** All that the frame path does with a type of step which only moves, scales and blends the pixels of one frame. */
export interface PixelStepRecord<A> {
  /** The reference. @throws TransformError */
  readonly apply: (frame: Frame, attributes: A) => Frame;
  /** The size in pixels of a frame of this size after the step. @throws TransformError as `apply` */
  readonly sizeAfter: (before: FrameSize, attributes: A) => FrameSize;
  /** Equal to `apply` within the tolerance of the trial. */
  readonly gpuPass: (before: FrameSize, attributes: A) => GpuPass;
  /** what a GPU must get right on a picture of 67×41 pixels before it is used; `name` follows "of a test pattern:" */
  readonly trial: { readonly name: string; readonly attributes: A; readonly toleranceLevels: number };
}
