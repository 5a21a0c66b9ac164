import { ignoreRejection } from '../../../live-machine/ignore-rejection.ts';
import { LinkError, mayBeMended, mayComeBack } from '../../../live-machine/link-error.ts';
import type { FrameAnswer, LiveImage } from '../../../live-machine/live-machine.ts';

/** A frame of a live machine, with what the machine says of it; null = it was not asked. */
export interface FeedFrame {
  readonly image: LiveImage;
  readonly said: FrameAnswer | null;
}

export interface FeedOptions {
  readonly ask: (signal: AbortSignal) => Promise<FeedFrame>;
  /** Resolves when the frame is on the stage, or was overtaken. */
  readonly show: (frame: FeedFrame, index: number) => Promise<void>;
  /** The machine does not answer, or its camera or service fails, and is asked again by itself; null: it is back. */
  readonly onLost: (error: LinkError | null) => void;
  /** from one frame to the next, 0 = as fast as it goes */
  readonly leastGapMs: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly nowMs: () => number;
}

const firstRetryMs = 500;
const longestRetryMs = 10_000;

/**
 * Shows frame after frame until it is broken off. The next one is asked for while one runs here, and only one is ever on its
 * way: nothing queues. A machine that is lost is asked again, later each time; once a frame has come, so is one whose camera or
 * service fails. Rejects with what no patience mends.
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
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, longestRetryMs)) {
    try {
      const frame = await ask(signal);
      if (retryMs > firstRetryMs) onLost(null);
      return frame;
    } catch (error) {
      if (signal.aborted || !(error instanceof LinkError)) throw error;
      if (!mayComeBack(error) && !(hasWorked && mayBeMended(error))) throw error;
      onLost(error);
      await wait(retryMs, signal);
      signal.throwIfAborted();
    }
  }
}
