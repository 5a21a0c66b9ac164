import { readMp4, type Mp4Video } from '../../../base/mp4/read-mp4.ts';
import { shownFrames } from '../../../base/mp4/shown-frames.ts';
import { SourceError, type OpenVideo, type VideoPort } from '../../ports/frame-source.ts';
import { waitFor } from '../../../base/schedule/wait-for.ts';
import type { FrameInfo } from '../../../machine/vision/face/frames.ts';
import { FrameClock } from './frame-clock.ts';
import { loadVideo } from './load-video.ts';

/** Videos that the browser's own decoders play. */
export function createVideoPort(): VideoPort {
  return {
    async open(file, name) {
      const video = document.createElement('video');
      video.muted = true; // sound needs a gesture, and a bench needs no sound
      video.playsInline = true;
      video.preload = 'auto';
      let callback = 0;
      const firstStampS = new Promise<number>((resolve) => {
        callback = video.requestVideoFrameCallback((_, { mediaTime }) => resolve(mediaTime));
      });
      let listed: Mp4Video | null;
      let release: () => void;
      try {
        [listed, release] = await Promise.all([listedIn(file), loadVideo(video, file)]);
      } catch (cause) {
        const said = video.error?.message || (cause as Error | null)?.message || 'it knows no decoder for it';
        throw new SourceError(
          'unsupported',
          `This browser cannot play "${name}"${file.type && ` (${file.type})`}: ${said}.`,
          'Convert it to MP4 (H.264) or WebM (VP9), for instance: ffmpeg -i in.avi -pix_fmt yuv420p out.mp4',
          { cause },
        );
      }
      const clock = new FrameClock(listed && shownFrames(listed), video.duration);
      const stampS = document.hidden ? null : await Promise.race([firstStampS, waitFor(presentMs).then(() => null)]);
      if (stampS !== null) clock.loaded(stampS);
      video.cancelVideoFrameCallback(callback); // a later frame is not the first
      const isTurned = listed !== null && listed.rotation !== 0;
      return new PlayedVideo(video, name, clock, isTurned, release);
    },
  };
}

/** The video that an MP4 or MOV file lists; null: it is another file, or one that only a player makes sense of. */
function listedIn(file: Blob): Promise<Mp4Video | null> {
  const read = async (from: number, to: number) => new Uint8Array(await file.slice(from, to).arrayBuffer());
  return readMp4({ sizeBytes: file.size, read }).catch(() => null);
}

/** The frame that an element shows, made of what it draws. */
function drawnFrame(video: HTMLVideoElement, init: VideoFrameInit): VideoFrame {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
  canvas.getContext('2d')!.drawImage(video, 0, 0);
  return new VideoFrame(canvas, init);
}

type FrameListener = (frame: VideoFrame, info: FrameInfo) => void;

/** Time after which a frame that could not be read is tried again. */
const retryMs = 50;

/** A frame is presented within this time after "seeked", or never: browsers present nothing where the frame stays the same. */
const presentMs = 250;
/** The same where the frame changes, so that something will be presented. Then it is sought again, and waited for twice as long. */
const presentChangedMs = 3000;
const mostTurns = 3;

/** Where frames have no table, so many gaps between them are seen, this slowly and for this long at most. */
const measuredGaps = 4;
const measuringRate = 0.5;
const measureMs = 3000;

class PlayedVideo implements OpenVideo {
  readonly name: string;
  readonly durationMs: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly #video: HTMLVideoElement;
  readonly #clock: FrameClock;
  /** Engines whose frames know no rotation take the picture as it is stored from the element of a turned video. */
  readonly #isDrawn: boolean;
  readonly #release: () => void;
  readonly #frameListeners = new Set<FrameListener>();
  readonly #stateListeners = new Set<() => void>();
  #callback = 0;
  #shownAtS = -1;
  /** seeks and steps, one after the other */
  #moved: Promise<void> = Promise.resolve();
  #seeksAsked = 0;
  /** the time of the frame that the element shows, as far as it was stated */
  #presentedS: number;
  /** seeks under way: what is presented meanwhile is theirs */
  #seeks = 0;
  /** While this is under way, what the element shows is nobody's frame. */
  #measuring: Promise<void> | null = null;
  #isClosed = false;
  #end!: (none: null) => void;
  readonly #closed = new Promise<null>((resolve) => (this.#end = resolve));

  constructor(video: HTMLVideoElement, name: string, clock: FrameClock, isTurned: boolean, release: () => void) {
    this.#video = video;
    this.#isDrawn = isTurned && !('rotation' in VideoFrame.prototype);
    this.#clock = clock;
    this.#presentedS = clock.sought(video.currentTime, null);
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
    return !this.#video.paused && !this.#video.ended && !this.#measuring;
  }
  get positionMs(): number {
    return this.#video.currentTime * 1000;
  }

  async play(): Promise<void> {
    await this.#measuring; // the measuring pauses the video at its end
    await this.#video.play();
  }
  pause(): void {
    if (!this.#measuring) this.#video.pause();
  }

  step(frames: number): Promise<void> {
    this.pause();
    return this.#move(() => this.#stepFromShown(frames));
  }

  /** A step starts from the frame that the step or seek before it shows, however fast the keys come. */
  #move(move: () => Promise<void>): Promise<void> {
    this.#moved = this.#moved.catch(() => {}).then(move);
    return this.#moved;
  }

  async #stepFromShown(frames: number): Promise<void> {
    await this.#measured();
    await this.#seekTo(this.#clock.stepS(this.#shownAtS, frames));
  }

  seek(positionMs: number): Promise<void> {
    const asked = ++this.#seeksAsked;
    // While the slider is dragged, each seek that ends shows its frame, and those that were passed meanwhile are left out.
    return this.#move(async () => (asked === this.#seeksAsked ? this.#seekExactly(positionMs) : undefined));
  }

  async #seekExactly(positionMs: number): Promise<void> {
    if (!this.playing) await this.#measured(); // or its frame would get a guessed index
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
    this.#end(null);
    this.#video.pause();
    this.#video.removeAttribute('src');
    this.#video.load(); // frees the decoder now
    this.#frameListeners.clear();
    this.#stateListeners.clear();
    this.#release();
  }

  #awaitFrame(): void {
    this.#callback = this.#video.requestVideoFrameCallback((_, { mediaTime }) => {
      if (this.#seeks === 0) {
        this.#presentedS = this.#clock.played(mediaTime);
        void this.#deliver();
      }
      this.#awaitFrame();
    });
  }

  async #seekTo(positionS: number): Promise<void> {
    const soughtS = this.#clock.seekS(Math.min(Math.max(0, positionS), this.#video.duration));
    const stampS = await this.#setTime(soughtS);
    if (this.playing) return; // the next frame comes by itself
    this.#presentedS = this.#clock.sought(soughtS, stampS);
    await this.#deliver();
  }

  /**
   * Resolves when the element shows the frame of that time, or when it is closed, which ends a seek without an error. Gives the stamp with
   * which that frame was presented, or null where none is to be waited for. Without a table of frames, the time of the frame that stays on
   * show where no other is presented.
   * @throws SourceError if the frame is not presented, however often it is sought
   */
  async #setTime(positionS: number): Promise<number | null> {
    if (this.#isClosed) return null;
    const video = this.#video;
    const shown = this.#presentations(positionS);
    let there: Promise<unknown> = Promise.resolve();
    let hasSought = false;
    this.#seeks++;
    try {
      for (let turn = 0; turn < mostTurns; turn++) {
        if (turn === 0 || !video.seeking) {
          there = new Promise<void>((resolve) => video.addEventListener('seeked', () => resolve(), { once: true }));
          void there.then(() => (hasSought = true));
          video.currentTime = positionS;
        }
        // WebKitGTK says nothing of a seek behind the end until it plays again.
        await Promise.race([there, this.#closed, waitFor(presentChangedMs)]);
        // On a busy machine "seeked" comes while the frame before is still on show.
        if (!this.#presentsSought()) return null;
        const patienceMs = this.#patienceMs(positionS) * 2 ** turn;
        const stampS = await Promise.race([shown.sought, this.#closed, waitFor(patienceMs).then(() => null)]);
        if (stampS !== null || patienceMs < presentChangedMs || !this.#presentsSought()) return stampS;
        // A long frame may have been sought again, of which browsers present nothing.
        if (!this.#clock.hasTable) return shown.lastS() ?? (hasSought && this.#shownAtS >= 0 ? this.#shownAtS : null);
      }
    } finally {
      shown.end();
      this.#seeks--;
    }
    throw new SourceError(
      'not-readable',
      `The player of this browser did not show the frame at ${positionS.toFixed(2)} s of "${this.name}".`,
      'Go there again: a busy computer may have been too slow.',
    );
  }

  /** What the element presents from now on: `sought` resolves with the stamp of the frame of that time. */
  #presentations(positionS: number): { sought: Promise<number>; lastS: () => number | null; end: () => void } {
    let callback = 0;
    let lastS: number | null = null;
    const sought = new Promise<number>((resolve) => {
      const see = () => {
        callback = this.#video.requestVideoFrameCallback((_, { mediaTime }) => {
          lastS = mediaTime;
          if (this.#clock.isSought(positionS, mediaTime)) resolve(mediaTime);
          else see();
        });
      };
      see();
    });
    return { sought, lastS: () => lastS, end: () => this.#video.cancelVideoFrameCallback(callback) };
  }

  /** A hidden page presents no frames, and a video that plays may have gone on before it presents the one that was sought. */
  #presentsSought(): boolean {
    return !document.hidden && !this.#isClosed && !this.playing;
  }

  /** How long to wait for a frame to be presented after a seek. */
  #patienceMs(soughtS: number): number {
    if (!this.#clock.knowsFrames) return presentMs;
    const staysSame = this.#clock.index(this.#clock.sought(soughtS, null)) === this.#clock.index(this.#shownAtS);
    return staysSame ? 0 : presentChangedMs;
  }

  /** Resolves when the frame that is on show was handed to every listener. Tries again while the element has none in hand. */
  async #deliver(): Promise<void> {
    while (!this.#isClosed && !this.#deliverNow()) await waitFor(retryMs); // a paused video has no next callback
  }

  /** Hands the frame that is on show to every listener, unless they have it. false where there is no frame in hand. */
  #deliverNow(): boolean {
    if (this.#frameListeners.size === 0 || this.#measuring) return true;
    const atS = this.#presentedS;
    if (atS === this.#shownAtS) return true;
    const frame = this.#frameOnShow(atS);
    if (!frame) return false;
    const gapS = atS - this.#shownAtS;
    if (this.playing && this.#shownAtS >= 0 && gapS > 0) this.#clock.sawGap(gapS);
    this.#shownAtS = atS;
    const info: FrameInfo = { name: this.name, index: this.#clock.index(atS), timestampMs: atS * 1000 };
    const [first, ...others] = this.#frameListeners;
    for (const listener of others) listener(frame.clone(), info);
    first?.(frame, info);
    return true;
  }

  /**
   * The frame that the element shows. null where it has none in hand: while it seeks or buffers, and now and then on a busy machine
   * although its state says otherwise (Chromium answers "Invalid source state"). It bears the time that is given: the time that engines
   * read of an element is the frame's own in Chromium, the one that was sought in WebKit, and in another unit in Firefox.
   */
  #frameOnShow(atS: number): VideoFrame | null {
    if (this.#isClosed || this.#video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null;
    try {
      const init = { timestamp: Math.round(atS * 1e6) };
      return this.#isDrawn ? drawnFrame(this.#video, init) : new VideoFrame(this.#video, init);
    } catch (error) {
      if ((error as DOMException).name === 'InvalidStateError') return null;
      throw error;
    }
  }

  /** Resolves when it is known where frames begin, or cannot be. */
  async #measured(): Promise<void> {
    if (this.#isClosed || this.#clock.knowsFrames) return;
    this.#measuring ??= this.#measureGaps().finally(() => (this.#measuring = null));
    await this.#measuring;
  }

  /** Plays some frames, since no engine tells by a seek alone where a frame begins that all others tell, too; and goes back. */
  async #measureGaps(): Promise<void> {
    const video = this.#video;
    const { currentTime, playbackRate } = video;
    let beforeS: number | null = null;
    let gaps = 0;
    let callback = 0;
    const seen = new Promise<void>((resolve) => {
      const see = () => {
        callback = video.requestVideoFrameCallback((_, { mediaTime }) => {
          if (beforeS !== null && mediaTime > beforeS) {
            this.#clock.sawGap(mediaTime - beforeS);
            gaps++;
          }
          beforeS = mediaTime;
          if (gaps < measuredGaps) see();
          else resolve();
        });
      };
      see();
    });
    video.playbackRate = measuringRate;
    if (video.duration - currentTime < 1) video.currentTime = 0;
    await video.play().catch(() => undefined); // closed, or a browser that plays nothing without a click
    await Promise.race([seen, this.#closed, waitFor(measureMs)]);
    video.cancelVideoFrameCallback(callback);
    video.pause();
    video.playbackRate = playbackRate;
    await this.#setTime(currentTime);
  }
}
