// Port to the frames of a whole video file or of a folder, whatever their images are. Implemented for browsers and by the command line.

/** A frame in its place. */
export interface PlacedFrame<Image> {
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
export type FootagePlace = Pick<PlacedFrame<unknown>, 'index' | 'timeMs'>;

/** Frames in order, each once, read piece by piece: never the whole file. */
export interface FootageFrames<Image> {
  /** All frames behind one; null: from the first. Ends early where `signal` aborts. @throws SourceError */
  frames(behind: FootagePlace | null, signal: AbortSignal): AsyncGenerator<PlacedFrame<Image>>;
}
