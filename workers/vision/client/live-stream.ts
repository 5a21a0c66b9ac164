import type { FrameInfo } from '../../../src/vision/frame-info.ts';
import type { FrameResult, StreamStats } from '../protocol.ts';
import { StreamMeter } from './stream-meter.ts';
import { wallClockMs } from './wall-clock.ts';

interface LiveStreamPorts {
  /** Takes the frame over; null when a newer one overtook it. */
  readonly show: (frame: VideoFrame, info: FrameInfo) => Promise<FrameResult | null>;
  /** Resolves when there is room for the next frame. */
  readonly room: () => Promise<void> | undefined;
  /** Hears of every frame before it is shown, and may copy it. */
  readonly onFrame: (frame: VideoFrame, info: FrameInfo) => void;
  readonly onStats: (stats: StreamStats) => void;
  /** Called when a stream ended by itself. */
  readonly onEnd: (name: string) => void;
}

const statsEveryMs = 500;

/** The stream that is followed: each frame numbered, dated, shown and counted. One at a time. */
export class LiveStream {
  readonly #ports: LiveStreamPorts;
  #reader: ReadableStreamDefaultReader<VideoFrame> | null = null;

  constructor(ports: LiveStreamPorts) {
    this.#ports = ports;
  }

  /** Takes the stream over; resolves at stop() or at its end. */
  async follow(frames: ReadableStream<VideoFrame>, source: Omit<FrameInfo, 'index' | 'timestampMs'>): Promise<void> {
    const { onStats, onEnd } = this.#ports;
    const reader = frames.getReader();
    this.#reader = reader;
    const meter = new StreamMeter(performance.now());
    const ticking = setInterval(() => onStats(meter.stats(performance.now())), statsEveryMs);
    try {
      for (let index = 0; ; index++) {
        await this.#ports.room();
        const { done, value: frame } = await reader.read();
        if (done) break;
        this.#show(frame, { ...source, index, timestampMs: frame.timestamp / 1000, takenAtMs: wallClockMs() }, meter);
      }
      if (this.#reader === reader) onEnd(source.name);
    } finally {
      clearInterval(ticking);
      reader.releaseLock();
      if (this.#reader === reader) this.#reader = null;
    }
  }

  async stop(): Promise<void> {
    const reader = this.#reader;
    this.#reader = null;
    await reader?.cancel();
  }

  #show(frame: VideoFrame, info: FrameInfo, meter: StreamMeter): void {
    const arrivedMs = performance.now();
    meter.frameArrived(arrivedMs);
    this.#ports.onFrame(frame, info);
    this.#ports.show(frame, info).then(
      (result) => {
        const nowMs = performance.now();
        if (result) meter.frameFinished(nowMs, nowMs - arrivedMs);
        else meter.frameDropped();
      },
      () => meter.frameDropped(), // a crash is announced as a notice
    );
  }
}
