// Port to the frames of a whole video file or of a list of pictures. Implemented in platform/browser/media, and by the command line.

/** An image of a frame as browsers have it. */
type BrowserImage = VideoFrame | ImageBitmap | Blob;

/** A frame in its place. */
export interface ReadFootageFrame<Image = BrowserImage> {
  /** the receiver closes it, if it can be closed */
  readonly image: Image;
  /** from 0 */
  readonly index: number;
  /** when it is shown, from the beginning of the video; of pictures 1000 a picture */
  readonly timeMs: number;
  /** file name of the video or picture */
  readonly name: string;
}

/** Where a frame stands: `timeMs` finds it where frames are not numbered. */
export type FootagePlace = Pick<ReadFootageFrame, 'index' | 'timeMs'>;

/** Frames in order, each once, read piece by piece: never the whole file. */
export interface FootageFrames<Image> {
  /** All frames behind one; null: from the first. Ends early where `signal` aborts. @throws SourceError */
  frames(behind: FootagePlace | null, signal: AbortSignal): AsyncGenerator<ReadFootageFrame<Image>>;
}

/** A video or a list of pictures that is open in the page. */
export interface FootageReader extends FootageFrames<BrowserImage> {
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
