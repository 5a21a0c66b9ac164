import { frameAtUs, type ShownFrames } from '../../../base/mp4/shown-frames.ts';

/** Times of one frame differ by less, whoever states them: players round them. */
const sameFrameS = 0.001;
/** A stamp that an engine copies from a seek is equal to it, but for the last digits of a double. */
const sameTimeS = 1e-6;
/** Taken for the time between two frames until it is known. */
const guessedFrameS = 1 / 30;

/**
 * Which frame of a video an element shows. Engines state it in two ways (`mediaTime` of requestVideoFrameCallback): Chromium gives the
 * frame's own time; after a seek, Firefox and WebKit give the time that was sought, and WebKitGTK adds what the file's edit list takes off.
 * Where the file's table of frames is known, each time is a time of it; elsewhere frames are as long as the shortest gap that was seen.
 * All times are in seconds from the start of the video.
 */
export class FrameClock {
  readonly #table: ShownFrames | null;
  readonly #endS: number;
  #durationS: number | null = null;
  /** A seek so far behind the start of a frame of the table shows that frame. */
  readonly #safelyS: number;
  /** how much later this engine's stamps are than the table's times */
  #laterS = 0;

  /** `endS`: how long the video is */
  constructor(table: ShownFrames | null, endS: number) {
    this.#endS = endS;
    this.#table = table && table.count > 0 ? table : null;
    this.#safelyS = this.#table ? Math.max(shortestGapUs(this.#table) / 2e6, sameFrameS) : 0;
  }

  /** Whether the file says where each frame begins. */
  get hasTable(): boolean {
    return this.#table !== null;
  }

  /** Whether it is known where frames begin. */
  get knowsFrames(): boolean {
    return this.hasTable || this.#durationS !== null;
  }

  /** The stamp of the frame that was shown when the video was loaded, the first. */
  loaded(stampS: number): void {
    const laterS = this.#table ? stampS - this.#table.timeUs[0]! / 1e6 : 0;
    this.#laterS = laterS > sameFrameS ? laterS : 0;
  }

  /** The time of a frame by the stamp that it had while the video played. */
  played(stampS: number): number {
    const timeS = stampS - this.#laterS;
    return this.#table ? this.#beginS(timeS + sameFrameS) : inWholeUs(timeS);
  }

  /** The time of the frame that is on show after a seek; `stampS` is null where the engine gave none. */
  sought(soughtS: number, stampS: number | null): number {
    const tellsFrame = stampS !== null && Math.abs(stampS - this.#laterS - soughtS) > sameTimeS;
    return tellsFrame ? this.played(stampS) : this.#beginS(soughtS);
  }

  /** Whether a stamp after a seek is that of the sought frame, and not of one that was still under way. */
  isSought(soughtS: number, stampS: number): boolean {
    if (!this.knowsFrames || Math.abs(stampS - this.#laterS - soughtS) <= sameTimeS) return true;
    return this.index(this.played(stampS)) === this.index(this.#beginS(soughtS));
  }

  /** Two frames follow each other by this: none is shown twice, so the shortest is a frame's duration. */
  sawGap(gapS: number): void {
    this.#durationS = Math.min(this.#durationS ?? Infinity, gapS);
  }

  /** The number, from 0, of the frame of a time that `played` or `sought` gave. */
  index(timeS: number): number {
    if (this.#table) return frameAtUs(this.#table, (timeS + sameFrameS) * 1e6);
    return Math.round(timeS / (this.#durationS ?? guessedFrameS));
  }

  /** Where to seek for the frame so many behind another: within it, since its own start may round into the frame before. */
  stepS(fromS: number, frames: number): number {
    if (!this.#table) return fromS + (frames + 0.5) * (this.#durationS ?? guessedFrameS);
    const wanted = Math.min(Math.max(0, this.index(fromS) + frames), this.#table.count - 1);
    return this.#withinS(wanted, Infinity);
  }

  /** Where to seek for the frame that is on show at a time: there, or sooner within a long frame. */
  seekS(timeS: number): number {
    return this.#table ? this.#withinS(frameAtUs(this.#table, timeS * 1e6), timeS) : timeS;
  }

  /** A time within a frame. GStreamer takes every frame for one of the usual length, and shows the next one behind that. */
  #withinS(frame: number, timeS: number): number {
    const { timeUs, durationUs } = this.#table!;
    const [beginS, endS] = [timeUs[frame]! / 1e6, (timeUs[frame + 1] ?? durationUs) / 1e6];
    if (timeS - beginS < 2 * this.#safelyS) return timeS;
    return beginS + Math.min((endS - beginS) / 2, this.#safelyS);
  }

  /** When the frame begins that is on show at a time. */
  #beginS(timeS: number): number {
    if (this.#table) return this.#table.timeUs[frameAtUs(this.#table, timeS * 1e6)]! / 1e6;
    if (this.#durationS === null) return timeS;
    // At the very end the last frame stays on show.
    const last = Math.max(0, Math.round(this.#endS / this.#durationS) - 1);
    return inWholeUs(Math.min(Math.floor(timeS / this.#durationS + sameFrameS), last) * this.#durationS);
  }
}

function shortestGapUs({ timeUs, durationUs }: ShownFrames): number {
  let shortestUs = Infinity;
  for (let at = 0; at < timeUs.length; at++)
    shortestUs = Math.min(shortestUs, (timeUs[at + 1] ?? durationUs) - timeUs[at]!);
  return shortestUs;
}

/** One frame has one time, however it was computed. */
const inWholeUs = (timeS: number): number => Math.round(timeS * 1e6) / 1e6;
