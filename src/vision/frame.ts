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
   * Of an `rgba8` frame that lies on black though it is partly transparent, as after the machine's resize: its alpha, a byte a
   * pixel, where `samples` say 255. The model sees it on black; steps that undo the multiplication need it (`toStraightRgba8`).
   */
  readonly alphaOnBlack?: Uint8Array<ArrayBuffer>;
  /** a 16-bit gray picture, or what steps made of one: the machine takes it for depths, and does less with it */
  readonly isDepth?: true;
}

export interface SixteenBitFrame {
  readonly format: 'rgba16';
  readonly widthPx: number;
  readonly heightPx: number;
  /** length = 4 · widthPx · heightPx */
  readonly samples: Uint16Array<ArrayBuffer>;
  /** as in an 8-bit frame */
  readonly isDepth?: true;
}

export interface FrameSize {
  readonly widthPx: number;
  readonly heightPx: number;
}
