import type { Frame, ReadFrame } from '../../machine/vision/face/frames.ts';
import type { PictureSize } from '../../machine/vision/face/traces.ts';

// Port of the vision worker to pictures. Implemented in platform/browser, handed over by workers/vision/entry.ts.

export type SourceImage = Blob | VideoFrame | ImageBitmap;

/** Pixels in and pictures out, by whatever the host has. */
export interface PictureIo {
  /** Reads the pixels, or of a live frame its planes; the image stays the caller's to close. @throws ImageDecodeError */
  read(image: Blob): Promise<Frame>;
  read(image: SourceImage): Promise<ReadFrame>;
  /** Why a live frame that was read is not its planes but colours, in words that follow "because"; '' where it is planes. */
  whyColours(image: VideoFrame | ImageBitmap): string;
  /** Whether `read` decodes it itself, as the machine does; the pixels of any other image are the host's. */
  readsExactly(image: SourceImage): Promise<boolean>;
  /** Takes back the pixels of a frame that nobody looks at any more: the next one is read into them. */
  recycle(frame: ReadFrame): void;
  /** Whether what was read of a live frame is all that is shown of it: the image is needed no longer then. */
  isAllRead(image: VideoFrame | ImageBitmap): boolean;
  /** A live frame as it is. The receiver closes it; the image stays the caller's. */
  copy(image: VideoFrame | ImageBitmap): Promise<ImageBitmap>;
  /**
   * The frame as the machine sees it, on black: full size, or as large as fits `within` where that is cheaper. The receiver
   * closes it.
   */
  picture(frame: ReadFrame, within: PictureSize | null): Promise<ImageBitmap>;
  /** The frame as `picture` gives it, at most `longestSidePx` long. */
  thumbnail(frame: ReadFrame, longestSidePx: number): Promise<ImageBitmap>;
  /** A lossless PNG of the frame. */
  encode(frame: ReadFrame): Promise<Blob>;
  /** A JPEG of the frame on black, at most `longestSidePx` long; quality 0..1. */
  compress(frame: ReadFrame, quality: number, longestSidePx: number): Promise<Blob>;
}
