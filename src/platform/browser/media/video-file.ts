import { SourceError, type OpenVideo, type VideoPort } from '../../../ports/frame-source.ts';
import { waitFor } from '../../../schedule/wait-for.ts';
import type { FrameInfo } from '../../../vision/frame-info.ts';

/** Videos that the browser's own decoders play. */
export function createVideoPort(): VideoPort {
  return {
    async open(file, name) {
      const url = URL.createObjectURL(file);
      const video = document.createElement('video');
      video.muted = true; // sound needs a gesture, and a bench needs no sound
      video.playsInline = true;
      video.preload = 'auto';
      video.src = url;
      try {
        await firstFrame(video);
      } catch (cause) {
        URL.revokeObjectURL(url);
        throw new SourceError(
          'unsupported',
          `This browser cannot play "${name}"${file.type && ` (${file.type})`}: ${video.error?.message || 'it knows no decoder for it'}.`,
          'Convert it to MP4 (H.264) or WebM (VP9), for instance: ffmpeg -i in.avi -pix_fmt yuv420p out.mp4',
          { cause },
        );
      }
      return new PlayedVideo(video, name, () => URL.revokeObjectURL(url));
    },
  };
}

function firstFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener('error', () => reject(video.error as unknown as Error), { once: true });
    video.addEventListener(
      'loadeddata',
      () => (video.videoWidth > 0 ? resolve() : reject(new Error('There are no pictures in it.'))),
      { once: true },
    );
  });
}

type FrameListener = (frame: VideoFrame, info: FrameInfo) => void;

/** Probing in steps of this length finds the next frame of anything up to 120 frames a second. */
const probeStepS = 1 / 120;
const mostProbes = 120;

/** Time after which a frame that could not be read is tried again. */
const retryMs = 50;

/** A frame is presented within this time after "seeked", or never: some browsers present nothing where the frame stays the same. */
const presentMs = 250;

class PlayedVideo implements OpenVideo {
  readonly name: string;
  readonly durationMs: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly #video: HTMLVideoElement;
  readonly #release: () => void;
  readonly #frameListeners = new Set<FrameListener>();
  readonly #stateListeners = new Set<() => void>();
  #callback = 0;
  #shownAtS = -1;
  #stepped: Promise<void> = Promise.resolve();
  /** null until two neighbouring frames were seen */
  #frameDurationS: number | null = null;
  /** While this is under way, what the element shows is a probe and nobody's frame. */
  #measuring: Promise<number> | null = null;
  #isClosed = false;

  constructor(video: HTMLVideoElement, name: string, release: () => void) {
    this.#video = video;
    this.#release = release;
    this.name = name;
    this.durationMs = video.duration * 1000;
    this.widthPx = video.videoWidth;
    this.heightPx = video.videoHeight;
    for (const event of ['play', 'pause', 'ended', 'seeked', 'timeupdate']) {
      video.addEventListener(event, () => this.#stateListeners.forEach((listener) => listener()));
    }
    this.#awaitFrame();
  }

  get loop(): boolean {
    return this.#video.loop;
  }
  set loop(loop: boolean) {
    this.#video.loop = loop;
  }
  get playing(): boolean {
    return !this.#video.paused && !this.#video.ended;
  }
  get positionMs(): number {
    return this.#video.currentTime * 1000;
  }

  async play(): Promise<void> {
    await this.#video.play();
  }
  pause(): void {
    this.#video.pause();
  }

  step(frames: number): Promise<void> {
    this.pause();
    // A step starts from the frame that the one before it shows, however fast the keys come.
    this.#stepped = this.#stepped.catch(() => {}).then(() => this.#stepFromShown(frames));
    return this.#stepped;
  }

  async #stepFromShown(frames: number): Promise<void> {
    const fromS = this.#shownAtS;
    const durationS = await this.#knownFrameDuration();
    // The middle of the frame: its own start may round into the frame before.
    await this.#seekTo(fromS + (frames + 0.5) * durationS);
  }

  async seek(positionMs: number): Promise<void> {
    if (!this.playing) await this.#knownFrameDuration(); // or its frame would get a guessed index
    await this.#seekTo(positionMs / 1000);
  }

  onFrame(listener: FrameListener): void {
    this.#frameListeners.add(listener);
    if (this.#shownAtS < 0) void this.#deliver();
  }
  onStateChange(listener: () => void): void {
    this.#stateListeners.add(listener);
  }

  close(): void {
    this.#video.cancelVideoFrameCallback(this.#callback);
    this.#isClosed = true;
    this.#video.pause();
    this.#video.removeAttribute('src');
    this.#video.load(); // frees the decoder now
    this.#frameListeners.clear();
    this.#stateListeners.clear();
    this.#release();
  }

  #awaitFrame(): void {
    this.#callback = this.#video.requestVideoFrameCallback(() => {
      void this.#deliver();
      this.#awaitFrame();
    });
  }

  async #seekTo(positionS: number): Promise<void> {
    const { duration } = this.#video;
    await this.#setTime(Math.min(Math.max(0, positionS), duration));
    await this.#deliver();
  }

  /** Resolves when the element shows the frame of that time, or when it is closed, which ends a seek without an error. */
  async #setTime(positionS: number): Promise<void> {
    if (this.#isClosed) return;
    const there = new Promise((resolve) => {
      for (const event of ['seeked', 'emptied']) this.#video.addEventListener(event, resolve, { once: true });
    });
    const presented = new Promise((resolve) => this.#video.requestVideoFrameCallback(resolve));
    this.#video.currentTime = positionS;
    await there;
    // On a busy machine "seeked" comes while the frame before is still on show. A hidden page presents no frames.
    if (!document.hidden && !this.#isClosed) await Promise.race([presented, waitFor(presentMs)]);
  }

  /** Resolves when the frame that is on show was handed to every listener. Tries again while the element has none in hand. */
  async #deliver(): Promise<void> {
    while (!this.#isClosed && !this.#deliverNow()) await waitFor(retryMs); // a paused video has no next callback
  }

  /** Hands the frame that is on show to every listener, unless they have it. false where there is no frame in hand. */
  #deliverNow(): boolean {
    if (this.#frameListeners.size === 0 || this.#measuring) return true;
    const frame = this.#frameOnShow();
    if (!frame) return false;
    const atS = frame.timestamp / 1e6;
    if (atS === this.#shownAtS) {
      frame.close();
      return true;
    }
    const gapS = atS - this.#shownAtS;
    if (this.playing && this.#shownAtS >= 0 && gapS > 0) {
      // A frame may be skipped while playing, never doubled: the shortest gap is the frame's duration.
      this.#frameDurationS = Math.min(this.#frameDurationS ?? Infinity, gapS);
    }
    this.#shownAtS = atS;
    const index = Math.round(atS / (this.#frameDurationS ?? 1 / 30));
    const info: FrameInfo = { name: this.name, index, timestampMs: atS * 1000 };
    const [first, ...others] = this.#frameListeners;
    for (const listener of others) listener(frame.clone(), info);
    first?.(frame, info);
    return true;
  }

  /**
   * The frame that the element shows. null where it has none in hand: while it seeks or buffers, and now and then on a busy machine
   * although its state says otherwise (Chromium answers "Invalid source state").
   */
  #frameOnShow(): VideoFrame | null {
    if (this.#isClosed || this.#video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null;
    try {
      return new VideoFrame(this.#video);
    } catch (error) {
      if ((error as DOMException).name === 'InvalidStateError') return null;
      throw error;
    }
  }

  async #knownFrameDuration(): Promise<number> {
    if (this.#frameDurationS !== null) return this.#frameDurationS;
    this.#measuring ??= this.#measureFrameDuration();
    try {
      return (this.#frameDurationS = await this.#measuring);
    } finally {
      this.#measuring = null;
    }
  }

  async #measureFrameDuration(): Promise<number> {
    const fromS = Math.max(0, this.#shownAtS);
    const direction = fromS < this.#video.duration / 2 ? 1 : -1;
    for (let probe = 1; probe <= mostProbes; probe++) {
      await this.#setTime(Math.max(0, fromS + direction * (probe + 0.1) * probeStepS));
      if (this.#isClosed) break;
      const frame = this.#frameOnShow();
      if (!frame) continue; // the next probe may have one
      const gapS = Math.abs(frame.timestamp / 1e6 - fromS);
      frame.close();
      if (gapS > 0) return gapS;
    }
    return 1 / 30;
  }
}
