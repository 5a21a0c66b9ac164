import type { FootagePlace, FootageReader, ReadFootageFrame } from '../../../ports/footage-reader.ts';
import type { OpenVideo } from '../../../ports/frame-source.ts';
import { createVideoPort } from './video-file.ts';

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
        return (await video.seek(timeMs))?.image ?? null;
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
    let shown = await video.seek(behind?.timeMs ?? 0);
    if (behind) {
      shown?.image.close();
      shown = await video.step();
    }
    for (let index = behind ? behind.index + 1 : 0; shown; index++) {
      yield { ...shown, index, name };
      if (signal.aborted) return;
      shown = await video.step();
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
  #shown: Shown | null = null;

  private constructor(video: OpenVideo) {
    this.#video = video;
    video.onFrame((image, { timestampMs }) => {
      this.#shown?.image.close();
      this.#shown = { image, timeMs: timestampMs };
    });
  }

  /** @throws SourceError */
  static async open(file: Blob, name: string): Promise<SteppedVideo> {
    return new SteppedVideo(await createVideoPort().open(file, name));
  }

  get durationMs(): number {
    return this.#video.durationMs;
  }

  seek(timeMs: number): Promise<Shown | null> {
    return this.#after(this.#video.seek(timeMs));
  }

  /** null: the last frame was on show */
  step(): Promise<Shown | null> {
    return this.#after(this.#video.step(1));
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
