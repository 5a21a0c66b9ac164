import type { FrameResult } from '../protocol.ts';
import type { PictureIo } from '../../../src/platform/ports/picture-io.ts';
import type { FrameInfo, ReadFrame } from '../../../src/machine/vision/face/frames.ts';
import type { FrameKeeper } from './frame-keeper.ts';

export type Decoder = NonNullable<FrameResult['decodedBy']>;

/** A frame with where it came from, kept so that it can run again. */
export interface SourceFrame {
  /** later frames have higher numbers */
  readonly frameId: number;
  readonly frame: ReadFrame;
  readonly info: FrameInfo;
  /** the file that it was decoded from; null: a live frame */
  readonly original: Blob | null;
  readonly decodedBy: Decoder;
  /** for a live frame, as in its result */
  readonly whyColours?: string;
  readonly decodeMs: number;
}

/**
 * The frame on the stage and all others in use: their pixels are recycled once no run, no encoder and no picture
 * needs them.
 */
export class StageFrames {
  readonly #pictures: Pick<PictureIo, 'recycle'>;
  readonly #keeper: Pick<FrameKeeper, 'frames' | 'holds'>;
  #source: SourceFrame | null = null;
  /** number of the newest frame, whether or not it could be read */
  #newestId = 0;
  /** frames of runs that are pending */
  readonly #running = new Map<Promise<unknown>, ReadFrame>();

  constructor(pictures: Pick<PictureIo, 'recycle'>, keeper: Pick<FrameKeeper, 'frames' | 'holds'>) {
    this.#pictures = pictures;
    this.#keeper = keeper;
  }

  /** The last frame that could be read; null: there is none. */
  get source(): SourceFrame | null {
    return this.#source;
  }

  /** The frames of the last results except this one, the newest first. */
  heldBeside(frame: ReadFrame): readonly ReadFrame[] {
    return this.#keeper.frames.filter((held) => held !== frame).toReversed();
  }

  /** Records that a frame was received and is about to be read. */
  announce(frameId: number): void {
    this.#newestId = frameId;
  }

  /** Puts a frame on the stage, unless a later one was read faster and is there already. */
  replace(source: SourceFrame): void {
    const before = this.#source;
    if (before && before.frameId > source.frameId) return;
    this.#source = source;
    if (before) this.recycle(before.frame);
  }

  /**
   * The newest frame could not be read: from now on, questions about the stage are not answered with the frame
   * before. A frame that was read stays, even if its run failed.
   */
  giveUp(frameId: number): void {
    const before = this.#source;
    if (frameId !== this.#newestId || before?.frameId === frameId) return;
    this.#source = null;
    if (before) this.recycle(before.frame);
  }

  /**
   * Keeps a frame from being recycled while `work` runs on it.
   * @throws what the work throws
   */
  async whileHeld<T>(frame: ReadFrame, work: Promise<T>): Promise<T> {
    this.#running.set(work, frame);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
      this.recycle(frame);
    }
  }

  /** Resolves once the current runs have ended, with or without errors. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.keys());
  }

  /** Recycles a frame's pixels if no run uses it and it will not run again. */
  recycle(frame: ReadFrame): void {
    if (this.#source?.frame === frame || this.#keeper.holds(frame) || [...this.#running.values()].includes(frame))
      return;
    this.#pictures.recycle(frame);
  }
}
