import type { FrameResult } from '../protocol.ts';
import type { PictureIo } from '../../../src/ports/picture-io.ts';
import type { ReadFrame } from '../../../src/vision/yuv/yuv-frame.ts';
import type { FrameInfo } from '../../../src/vision/frame-info.ts';
import type { FrameKeeper } from './frame-keeper.ts';

export type Decoder = NonNullable<FrameResult['decodedBy']>;

/** A frame with where it came from, kept so that it can run again. */
export interface SourceFrame {
  /** its number: later frames have higher ones */
  readonly frameId: number;
  readonly frame: ReadFrame;
  readonly info: FrameInfo;
  /** the file that it was decoded from, null for a live one */
  readonly original: Blob | null;
  readonly decodedBy: Decoder;
  /** of a live one: as in its result */
  readonly whyColours?: string;
  readonly decodeMs: number;
}

/** The frame on the stage and all others that are in use: their pixels are recycled once nothing runs, keeps or shows them. */
export class StageFrames {
  readonly #pictures: Pick<PictureIo, 'recycle'>;
  readonly #keeper: Pick<FrameKeeper, 'frames' | 'holds'>;
  #source: SourceFrame | null = null;
  /** the newest frame that was given, whether or not it could be read */
  #newestId = 0;
  /** frames under way */
  readonly #running = new Map<Promise<unknown>, ReadFrame>();

  constructor(pictures: Pick<PictureIo, 'recycle'>, keeper: Pick<FrameKeeper, 'frames' | 'holds'>) {
    this.#pictures = pictures;
    this.#keeper = keeper;
  }

  /** The last frame that could be read; null where there is none. */
  get source(): SourceFrame | null {
    return this.#source;
  }

  /** Frames of the last results other than this one, the newest first. */
  heldBeside(frame: ReadFrame): readonly ReadFrame[] {
    return this.#keeper.frames.filter((held) => held !== frame).toReversed();
  }

  /** A frame is given and about to be read. */
  announce(frameId: number): void {
    this.#newestId = frameId;
  }

  /** A frame that took longer to read than a later one leaves that in place. */
  replace(source: SourceFrame): void {
    const before = this.#source;
    if (before && before.frameId > source.frameId) return;
    this.#source = source;
    if (before) this.recycle(before.frame);
  }

  /**
   * Where the newest frame could not be read, what is asked of the stage from now on is not answered with the one before. One
   * that was read stays, even if its run failed.
   */
  giveUp(frameId: number): void {
    const before = this.#source;
    if (frameId !== this.#newestId || before?.frameId === frameId) return;
    this.#source = null;
    if (before) this.recycle(before.frame);
  }

  /** A frame is not recycled while something runs on it. @throws what the work throws */
  async whileHeld<T>(frame: ReadFrame, work: Promise<T>): Promise<T> {
    this.#running.set(work, frame);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
      this.recycle(frame);
    }
  }

  /** Resolves once what runs now has ended, well or not. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.keys());
  }

  /** Once nothing runs it, and it will not run again. */
  recycle(frame: ReadFrame): void {
    if (this.#source?.frame === frame || this.#keeper.holds(frame) || [...this.#running.values()].includes(frame))
      return;
    this.#pictures.recycle(frame);
  }
}
