/** When a frame of a stream was taken, and how it came. */
export interface StreamMoment {
  /** time by the source's own clock, ms: the position in a video, the time of a camera */
  readonly timeMs: number;
  /** when the page got it, ms of any steady clock */
  readonly atMs: number;
  /** whether frames follow each other by themselves: not in a paused video */
  readonly isStreaming: boolean;
  /** how long it ran, ms: no frame comes sooner than the one before is done */
  readonly ranMs: number;
}

/** `back`: time went back, as in a loop. `jump`: it went on faster than the clock, as when a person seeks. `silence`: no frame came for long. */
export interface StreamBreak {
  readonly kind: 'back' | 'jump' | 'silence';
  readonly fromMs: number;
  readonly toMs: number;
}

/** A step of this length is nobody's jump: frames are shown early and late. */
const leastJumpMs = 1000;

/** A camera that gives no frame for longer is silent: three seconds, or three times what a frame took to run, ms. */
export const silenceMs = (ranMs: number): number => Math.max(3000, 3 * ranMs);

/** Finds where the frames of a stream do not follow each other: what came between was not seen. */
export class StreamBreaks {
  #before: StreamMoment | null = null;

  /** Takes the next frame. null: it follows the one before, or is the first. */
  next(moment: StreamMoment): StreamBreak | null {
    const before = this.#before;
    this.#before = moment;
    if (!before) return null;
    const [fromMs, toMs] = [before.timeMs, moment.timeMs];
    const kind = breakBetween(before, moment);
    return kind && { kind, fromMs, toMs };
  }
}

function breakBetween(before: StreamMoment, now: StreamMoment): StreamBreak['kind'] | null {
  const stepMs = now.timeMs - before.timeMs;
  if (stepMs < 0) return 'back';
  // While a video is paused its clock stands still: whatever moves it is a person.
  const wasPaused = !before.isStreaming || !now.isStreaming;
  const passedMs = wasPaused ? 0 : now.atMs - before.atMs;
  if (stepMs > passedMs + leastJumpMs) return 'jump';
  return stepMs > silenceMs(now.ranMs) ? 'silence' : null;
}
