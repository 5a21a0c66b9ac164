import { StreamMeter } from '../../../../workers/vision/client/stream-meter.ts';
import type { StreamStats } from '../../../../workers/vision/protocol.ts';

const STATS_EVERY_MS = 500;

/** The rates of the stream that is the source. */
export class StreamRates {
  /** null: no stream, or nothing measured yet */
  stats = $state.raw<StreamStats | null>(null);
  #measured: { readonly meter: StreamMeter; shownMs: number } | null = null;

  /** Whether the page itself shows the frames of a stream, one by one. */
  get isMeasuring(): boolean {
    return this.#measured !== null;
  }

  /** Takes what another thread measured. */
  take(stats: StreamStats): void {
    this.stats = stats;
  }

  /** Measures the run of a streamed frame; it resolves to whether the frame was shown. */
  async measure(run: () => Promise<boolean>): Promise<void> {
    const arrivedMs = performance.now();
    const measured = (this.#measured ??= { meter: new StreamMeter(arrivedMs), shownMs: -Infinity });
    const { meter } = measured;
    meter.frameArrived(arrivedMs);
    const shown = await run();
    if (measured !== this.#measured) return; // The stream ended meanwhile.
    const nowMs = performance.now();
    if (shown) meter.frameFinished(nowMs, nowMs - arrivedMs);
    else meter.frameDropped();
    if (nowMs - measured.shownMs < STATS_EVERY_MS) return;
    measured.shownMs = nowMs;
    this.stats = meter.stats(nowMs);
  }

  /** The next streamed frame starts a new measurement. */
  end(): void {
    this.#measured = null;
    this.stats = null;
  }
}
