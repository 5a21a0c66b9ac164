import type { FootageFrames, FootagePlace, PlacedFrame } from './footage-frames.ts';

// Port of the page to a whole video file or a list of pictures. Implemented in platform/browser/media.

/** A frame with its image as browsers have it. */
export type ReadFootageFrame = PlacedFrame<VideoFrame | ImageBitmap | Blob>;

/** A video or a list of pictures that is open in the page. */
export interface FootageReader extends FootageFrames<ReadFootageFrame['image']> {
  readonly name: string;
  readonly kind: 'video' | 'pictures';
  /** equal for equal footage: hashed from its size and from some of its bytes */
  readonly fingerprint: string;
  /** null: not known before the end */
  readonly frameCount: number | null;
  readonly durationMs: number;
  /** why frames are taken from a player, one seek each, which is slow, in words that follow "because"; '': they are not */
  readonly whySlow: string;
  /** One frame; null: there is none any more. The receiver closes it. @throws SourceError */
  frameAt(place: FootagePlace, signal: AbortSignal): Promise<ReadFootageFrame['image'] | null>;
}
