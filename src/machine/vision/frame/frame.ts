/**
 * Pixels of one frame, four 8- or 16-bit samples a pixel, row by row from the top left, without padding.
 *
 * - `rgba8`: red, green, blue, alpha (not premultiplied), 0..255.
 * - `ycbcr8`: Y, Cb, Cr (JPEG full range, chroma replicated to full size), 255. A colour JPEG stays in this
 *   form until a step needs RGB, because the machine resizes its planes before it converts them.
 * - `rgba16`: as `rgba8` with 0..65535 (16-bit PNG).
 *
 * A frame is a value: no step writes into the frame it was given.
 */
export type Frame = EightBitFrame | SixteenBitFrame;

export interface EightBitFrame {
  readonly format: 'rgba8' | 'ycbcr8';
  readonly widthPx: number;
  readonly heightPx: number;
  /** length = 4 · widthPx · heightPx */
  readonly samples: Uint8ClampedArray<ArrayBuffer>;
  /**
   * Only for an `rgba8` frame that is partly transparent and was put on black, as by the machine's resize: its
   * alpha, one byte a pixel, where `samples` say 255. The model sees the frame on black; steps that undo the
   * multiplication need the alpha (`toStraightRgba8`).
   */
  readonly alphaOnBlack?: Uint8Array<ArrayBuffer>;
  /**
   * a 16-bit gray picture, or the result of steps on one: the machine takes it for a depth map and supports fewer
   * operations on it
   */
  readonly isDepth?: true;
}

export interface SixteenBitFrame {
  readonly format: 'rgba16';
  readonly widthPx: number;
  readonly heightPx: number;
  /** length = 4 · widthPx · heightPx */
  readonly samples: Uint16Array<ArrayBuffer>;
  /** the machine takes the picture for a depth map, as in an 8-bit frame */
  readonly isDepth?: true;
}

export interface FrameSize {
  readonly widthPx: number;
  readonly heightPx: number;
}
