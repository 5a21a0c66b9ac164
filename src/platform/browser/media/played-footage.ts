import type { FootagePlace } from '../../ports/footage-frames.ts';
import type { FootageReader, ReadFootageFrame } from '../../ports/footage-reader.ts';
import type { OpenVideo } from '../../ports/frame-source.ts';
import { createVideoPort } from './video-file.ts';

/** At the very start of a frame, which is rounded, a player may show the one before. */
const behindStartMs = 0.5;
/** A player may stand a little before the end that it says. */
const endWithinMs = 1;
/** Behind the end of any video. */
const farMs = 1e10;

/** The frames of a video as a player shows them, one step after the other: for files in which frames cannot be found otherwise. */
export async function playedFootage(
  file: Blob,
  name: string,
  fingerprint: string,
  whySlow: string,
): Promise<FootageReader> {
  const opened = await SteppedVideo.open(file, name);
  const { durationMs } = opened;
  opened.close();
  return {
    name,
    kind: 'video',
    fingerprint,
    frameCount: null,
    durationMs,
    whySlow,
    frames: (behind, signal) => steppedFrames(file, name, behind, signal),
    async frameAt({ timeMs }) {
      const video = await SteppedVideo.open(file, name);
      try {
        return (await video.seek(timeMs + behindStartMs))?.image ?? null;
      } finally {
        video.close();
      }
    },
  };
}

async function* steppedFrames(
  file: Blob,
  name: string,
  behind: FootagePlace | null,
  signal: AbortSignal,
): AsyncGenerator<ReadFootageFrame> {
  const video = await SteppedVideo.open(file, name);
  try {
    let shown = await video.seek(behind ? behind.timeMs + behindStartMs : 0);
    if (behind) {
      shown?.image.close();
      shown = await video.step(signal);
    }
    for (let index = behind ? behind.index + 1 : 0; shown; index++) {
      yield { ...shown, index, name };
      if (signal.aborted) return;
      shown = await video.step(signal);
    }
  } finally {
    video.close();
  }
}

interface Shown {
  readonly image: VideoFrame | ImageBitmap;
  readonly timeMs: number;
}

/** A player that is moved, and what it shows then. */
class SteppedVideo {
  readonly #video: OpenVideo;
  readonly durationMs: number;
  #shown: Shown | null = null;

  private constructor(video: OpenVideo, durationMs: number) {
    this.#video = video;
    this.durationMs = durationMs;
    video.onFrame((image, { timestampMs }) => {
      this.#shown?.image.close();
      this.#shown = { image, timeMs: timestampMs };
    });
  }

  /** @throws SourceError */
  static async open(file: Blob, name: string): Promise<SteppedVideo> {
    const video = await createVideoPort().open(file, name);
    if (Number.isFinite(video.durationMs)) return new SteppedVideo(video, video.durationMs);
    // What a page recorded does not say how long it lasts: its player stops at the end.
    await video.seek(farMs);
    return new SteppedVideo(video, video.positionMs);
  }

  seek(timeMs: number): Promise<Shown | null> {
    return this.#after(this.#video.seek(timeMs));
  }

  /** The next frame, however long this one lasts. null: the last one was on show, or `signal` aborts */
  async step(signal: AbortSignal): Promise<Shown | null> {
    for (let frames = 1; !signal.aborted; frames++) {
      const fromMs = this.#video.positionMs;
      const shown = await this.#after(this.#video.step(frames));
      if (shown) return shown;
      if (this.#video.positionMs === fromMs) return null; // a player that knows all frames stays within the last
      if (!(this.#video.positionMs < this.durationMs - endWithinMs)) return null;
    }
    return null;
  }

  close(): void {
    this.#video.close();
    this.#shown?.image.close();
  }

  async #after(move: Promise<void>): Promise<Shown | null> {
    await move;
    const shown = this.#shown;
    this.#shown = null;
    return shown;
  }
}
