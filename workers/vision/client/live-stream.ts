import type { FrameInfo } from '../../../src/machine/vision/face/frames.ts';
import type { FrameResult, StreamStats } from '../protocol.ts';
import { StreamMeter } from './stream-meter.ts';
import { wallClockMs } from './wall-clock.ts';
import { isCrash } from './worker-errors.ts';

interface LiveStreamPorts {
  /** Shows the frame and takes ownership of it; resolves to null if a newer one replaced it. */
  readonly show: (frame: VideoFrame, info: FrameInfo) => Promise<FrameResult | null>;
  /** Resolves when there is room for the next frame. */
  readonly room: () => Promise<void> | undefined;
  /** Called with every frame before it is shown; may copy it. */
  readonly onFrame: (frame: VideoFrame, info: FrameInfo) => void;
  readonly onStats: (stats: StreamStats) => void;
  /** Called with the error when a frame of the current stream gave no result. */
  readonly onFailure: (error: unknown) => void;
  /** Called when a stream ends by itself. */
  readonly onEnd: (name: string) => void;
}

const statsEveryMs = 500;

/** Reads one stream at a time: numbers, dates, shows and counts its frames. */
export class LiveStream {
  readonly #ports: LiveStreamPorts;
  #reader: ReadableStreamDefaultReader<VideoFrame> | null = null;

  constructor(ports: LiveStreamPorts) {
    this.#ports = ports;
  }

  /** Reads the stream and takes ownership of it; resolves at stop() or at the stream's end. */
  async follow(frames: ReadableStream<VideoFrame>, source: Omit<FrameInfo, 'index' | 'timestampMs'>): Promise<void> {
    const { onStats, onFailure, onEnd } = this.#ports;
    const reader = frames.getReader();
    this.#reader = reader;
    const meter = new StreamMeter(performance.now());
    const ticking = setInterval(() => onStats(meter.stats(performance.now())), statsEveryMs);
    try {
      for (let index = 0; ; index++) {
        await this.#ports.room();
        const { done, value: frame } = await reader.read();
        if (done) break;
        const info = { ...source, index, timestampMs: frame.timestamp / 1000, takenAtMs: wallClockMs() };
        this.#show(frame, info, meter).catch((error: unknown) => {
          meter.frameDropped();
          if (this.#reader === reader && !isCrash(error)) onFailure(error); // a crash is announced as a notice
        });
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

  async #show(frame: VideoFrame, info: FrameInfo, meter: StreamMeter): Promise<void> {
    const arrivedMs = performance.now();
    meter.frameArrived(arrivedMs);
    this.#ports.onFrame(frame, info);
    const result = await this.#ports.show(frame, info);
    const nowMs = performance.now();
    if (result) meter.frameFinished(nowMs, nowMs - arrivedMs);
    else meter.frameDropped();
  }
}
