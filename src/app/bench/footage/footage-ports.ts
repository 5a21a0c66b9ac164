import type { OpenAnnotatedWriter } from '../../../platform/ports/annotated-video.ts';
import type { FootageReader } from '../../../platform/ports/footage-reader.ts';
import type { FootageStore } from '../../../platform/ports/footage-store.ts';
import type { StillFrame } from '../../../platform/ports/frame-source.ts';
import type { SourceImage } from '../../../platform/ports/picture-io.ts';
import type { FrameInfo } from '../../../machine/vision/face/frames.ts';
import type { DrawnResults, FrameResult } from '../../../../workers/vision/protocol.ts';

/** What the bench is configured to run, ready to run on frames. */
export interface FootageModel {
  /** Runs an image, or a frame that it takes over. Rejects with a ModelRunError, or with the decoder's error. */
  see(image: SourceImage, info: FrameInfo): Promise<FrameResult>;
  /**
   * Draws results into the picture that the service sees of an image, or of a frame that it takes over, as the machine draws
   * them. The receiver closes it. Rejects with a ModelRunError, and with `box-outside-frame` where the machine gives no frame.
   */
  draw(image: SourceImage, results: DrawnResults): Promise<ImageBitmap>;
}

/** What runs over footage need of the page; fetched with the first one. */
export interface FootagePorts {
  openVideo(file: Blob, name: string): Promise<FootageReader>;
  openPictures(name: string, pictures: readonly StillFrame[]): Promise<FootageReader>;
  /** Loads what is configured. Rejects with a ModelRunError that says what is missing. */
  readonly prepare: () => Promise<FootageModel>;
  readonly openWriter: OpenAnnotatedWriter;
  readonly store: FootageStore;
  readonly newId: () => string;
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>;
  /** version of the app */
  readonly version: string;
}
