import type { FootageFrame } from './footage-frame.ts';

/** Where a frame stands in its footage, and what it is called. */
export type NamedPlace = Pick<FootageFrame, 'index' | 'timeMs' | 'name'>;
/** What a model makes of a frame, before its filter. */
export type SeenFootage = Omit<FootageFrame, keyof NamedPlace>;

/** How frames are run. */
export interface FootageRunner<Read> {
  /** Runs a frame that was read. */
  see(read: Read): Promise<SeenFootage>;
  /** Says why `see` rejected, which is part of the answer. Throws where every other frame would meet the same. */
  failureOf(error: unknown): NonNullable<FootageFrame['failure']>;
  /** how many frames are under way: while one is inferred, the next is read */
  readonly atOnce: number;
  readonly signal: AbortSignal;
}

/**
 * Runs the frames of a video or folder.
 * @param reads frames in order, of which one more is read at a time
 * @param runner runs each of them
 * @returns the frames that were run, in the same order, those that failed among them
 * @throws the signal's reason, and whatever ends the reading or each frame
 */
export async function* runFootage<Read extends NamedPlace>(
  reads: AsyncIterable<Read>,
  { see, failureOf, atOnce, signal }: FootageRunner<Read>,
): AsyncGenerator<FootageFrame> {
  const runOne = async (read: Read): Promise<FootageFrame> => {
    const { index, timeMs, name } = read;
    const seen = await see(read).catch((error: unknown): SeenFootage => {
      return { stages: [], failure: failureOf(error), detections: null, classifications: null };
    });
    return { index, timeMs, name, ...seen };
  };
  const underWay: Promise<FootageFrame>[] = [];
  const next = async (): Promise<FootageFrame> => {
    const frame = await underWay.shift()!;
    signal.throwIfAborted();
    return frame;
  };
  for await (const read of reads) {
    signal.throwIfAborted();
    const running = runOne(read);
    running.catch(() => undefined); // awaited in its turn
    underWay.push(running);
    if (underWay.length >= atOnce) yield await next();
  }
  while (underWay.length > 0) yield await next();
  signal.throwIfAborted();
}

/**
 * Joins the frames of a run with their pictures, which are read once more.
 * @param frames that were run, in order
 * @param reads pictures of the same footage in order; ended with the frames
 * @param passOver takes a picture of which there is no frame
 */
export async function* framesWithPictures<Read extends Pick<NamedPlace, 'index'>>(
  frames: AsyncIterable<FootageFrame>,
  reads: AsyncGenerator<Read>,
  passOver: (read: Read) => void = () => undefined,
): AsyncGenerator<readonly [FootageFrame, Read]> {
  let read: Read | null = null;
  try {
    for await (const frame of frames) {
      while (!read || read.index < frame.index) {
        if (read) passOver(read);
        read = null;
        const next = await reads.next();
        if (next.done) return;
        read = next.value;
      }
      if (read.index > frame.index) continue;
      const taken: Read = read;
      read = null;
      yield [frame, taken];
    }
  } finally {
    if (read) passOver(read);
    await reads.return(undefined);
  }
}
