import type { Backend, Capabilities, StoredModel } from '../vision-protocol.ts';
import type { Frame } from '../../../src/vision/frame.ts';
import type { InferenceSession } from '../../../src/vision/inference/inference-session.ts';

/** What the vision engine needs of its host. Implemented in platform/browser, handed over by workers/vision/entry.ts. */

export interface InferenceRuntime {
  capabilities(): Promise<Capabilities>;
  /** Compiles a model for a backend. @throws InferenceError */
  open(model: Uint8Array<ArrayBuffer>, backend: Backend): Promise<InferenceSession>;
  /** Called when the GPU device is gone: every WebGPU session is dead. */
  onGpuLost(listener: () => void): void;
}

/** A runtime on a thread of its own: a session's run() takes the feeds' values when it is called, and runs queue there. */
export interface ThreadedRuntime extends InferenceRuntime {
  /** how long the run that ended last took, without its time in the queue */
  readonly lastRunMs: number;
}

export interface ModelStore {
  list(): Promise<readonly StoredModel[]>;
  /** null when it is not there */
  read(sha256: string): Promise<{ readonly blob: Blob; readonly fileName: string } | null>;
  /** @throws ModelStoreError */
  write(model: StoredModel, blob: Blob): Promise<void>;
  remove(sha256: string): Promise<void>;
}

export type ModelStoreErrorCode = 'quota-exceeded' | 'unavailable';

export class ModelStoreError extends Error {
  override readonly name = 'ModelStoreError';
  readonly code: ModelStoreErrorCode;
  constructor(code: ModelStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export type SourceImage = Blob | VideoFrame | ImageBitmap;

/** Pixels in and pictures out, by whatever the host has. */
export interface PictureIo {
  /** Reads the pixels; the image stays the caller's to close. @throws DecodeError */
  read(image: SourceImage): Promise<Frame>;
  /** Takes back the pixels of a frame that nobody looks at any more: the next one is read into them. */
  recycle(frame: Frame): void;
  /** A live frame as it is; `frame` is what was read of it. The receiver closes it; the image stays the caller's. */
  copy(image: VideoFrame | ImageBitmap, frame: Frame): Promise<ImageBitmap>;
  /** The frame as the machine sees it: on black, full size. The receiver closes it. */
  picture(frame: Frame): Promise<ImageBitmap>;
  /** As picture, at most `longestSidePx` long. */
  thumbnail(frame: Frame, longestSidePx: number): Promise<ImageBitmap>;
  /** A lossless PNG of the frame. */
  encode(frame: Frame): Promise<Blob>;
  /** A JPEG of the frame on black, at most `longestSidePx` long; quality 0..1. */
  compress(frame: Frame, quality: number, longestSidePx: number): Promise<Blob>;
}
