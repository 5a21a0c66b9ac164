import { median } from '../../../src/models/profile/quantile.ts';
import type { StreamStats } from '../protocol.ts';

const windowMs = 2000;

/**
 * Measures a stream's frame rate and latency over the last two seconds. Times in ms of one clock; it reads no clock
 * itself.
 */
export class StreamMeter {
  readonly #startedMs: number;
  #arrivedMs: number[] = [];
  #finished: { atMs: number; latencyMs: number }[] = [];
  #droppedFrames = 0;

  constructor(nowMs: number) {
    this.#startedMs = nowMs;
  }

  frameArrived(nowMs: number): void {
    this.#arrivedMs.push(nowMs);
  }

  frameDropped(): void {
    this.#droppedFrames++;
  }

  frameFinished(nowMs: number, latencyMs: number): void {
    this.#finished.push({ atMs: nowMs, latencyMs });
  }

  /** Rates and median latency of the window, drops since the start. */
  stats(nowMs: number): StreamStats {
    const fromMs = nowMs - windowMs;
    this.#arrivedMs = this.#arrivedMs.filter((atMs) => atMs > fromMs);
    this.#finished = this.#finished.filter(({ atMs }) => atMs > fromMs);
    const seconds = Math.max(1, Math.min(windowMs, nowMs - this.#startedMs)) / 1000;
    return {
      sourceFps: this.#arrivedMs.length / seconds,
      inferenceFps: this.#finished.length / seconds,
      droppedFrames: this.#droppedFrames,
      latencyMs: median(this.#finished.map(({ latencyMs }) => latencyMs)),
    };
  }
}
