import type { Frame } from '../vision/frame.ts';
import type { PictureSize } from '../vision/trace.ts';

// Port of the vision worker to pictures. Implemented in platform/browser, handed over by workers/vision/entry.ts.

export type SourceImage = Blob | VideoFrame | ImageBitmap;

/** Pixels in and pictures out, by whatever the host has. */
export interface PictureIo {
  /** Reads the pixels; the image stays the caller's to close. @throws ImageDecodeError */
  read(image: SourceImage): Promise<Frame>;
  /** Whether `read` decodes it itself, as the machine does; the pixels of any other image are the host's. */
  readsExactly(image: SourceImage): Promise<boolean>;
  /** Takes back the pixels of a frame that nobody looks at any more: the next one is read into them. */
  recycle(frame: Frame): void;
  /**
   * A live frame as it is; `frame` is what was read of it. It may be as much smaller as fits `within`. The receiver closes it; the
   * image stays the caller's.
   */
  copy(image: VideoFrame | ImageBitmap, frame: Frame, within: PictureSize | null): Promise<ImageBitmap>;
  /**
   * The frame as the machine sees it, on black: full size, or as large as fits `within` where that is cheaper. The receiver
   * closes it.
   */
  picture(frame: Frame, within: PictureSize | null): Promise<ImageBitmap>;
  /** As picture, at most `longestSidePx` long. */
  thumbnail(frame: Frame, longestSidePx: number): Promise<ImageBitmap>;
  /** A lossless PNG of the frame. */
  encode(frame: Frame): Promise<Blob>;
  /** A JPEG of the frame on black, at most `longestSidePx` long; quality 0..1. */
  compress(frame: Frame, quality: number, longestSidePx: number): Promise<Blob>;
}
