import { ignoreRejection } from '../../../remote/live-machine/ignore-rejection.ts';
import { LinkError, mayBeMended, mayComeBack } from '../../../remote/live-machine/link-error.ts';
import type { FrameAnswer, LiveImage } from '../../../remote/live-machine/live-machine.ts';

/** A frame of a live machine with the machine's own results; null: they were not requested. */
export interface FeedFrame {
  readonly image: LiveImage;
  readonly said: FrameAnswer | null;
}

export interface FeedOptions {
  readonly ask: (signal: AbortSignal) => Promise<FeedFrame>;
  /** Resolves when the frame is on the stage, or a newer one replaced it. */
  readonly show: (frame: FeedFrame, index: number) => Promise<void>;
  /**
   * The machine does not answer, or its camera or service fails, and is asked again automatically; null: it works
   * again.
   */
  readonly onLost: (error: LinkError | null) => void;
  /** from one frame to the next; 0: as fast as possible */
  readonly leastGapMs: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly nowMs: () => number;
}

const firstRetryMs = 500;
/** A machine that is back should show a frame within five seconds; the connection takes the other three. */
const longestRetryMs = 2_000;
/** A machine that has too much to do gets time. */
const longestBusyMs = 10_000;

/**
 * Shows frame after frame until it is aborted. The next frame is requested while one runs here, and only one
 * request is pending at a time. An unreachable machine is asked again at growing intervals; once a frame has come,
 * so is one whose camera or service fails. Rejects with errors that retrying cannot repair.
 */
export async function feedFrames(options: FeedOptions, signal: AbortSignal): Promise<void> {
  const { show, leastGapMs, wait, nowMs } = options;
  let next: Promise<FeedFrame> | null = null;
  for (let index = 0; !signal.aborted; index++) {
    const askedMs = nowMs();
    const frame: FeedFrame = await (next ?? askUntilAnswered(options, index > 0, signal));
    if (signal.aborted) return;
    next = leastGapMs() > 0 ? null : ignoreRejection(askUntilAnswered(options, true, signal));
    await show(frame, index);
    const leftMs = leastGapMs() - (nowMs() - askedMs);
    if (leftMs > 0) await wait(leftMs, signal);
  }
}

async function askUntilAnswered(
  { ask, onLost, wait }: FeedOptions,
  hasWorked: boolean,
  signal: AbortSignal,
): Promise<FeedFrame> {
  for (let retryMs = firstRetryMs, isLost = false; ; isLost = true) {
    try {
      const frame = await ask(signal);
      if (isLost) onLost(null);
      return frame;
    } catch (error) {
      if (signal.aborted || !(error instanceof LinkError)) throw error;
      if (!mayComeBack(error) && !(hasWorked && mayBeMended(error))) throw error;
      onLost(error);
      await wait(retryMs, signal);
      signal.throwIfAborted();
      retryMs = Math.min(2 * retryMs, error.code === 'busy' ? longestBusyMs : longestRetryMs);
    }
  }
}
