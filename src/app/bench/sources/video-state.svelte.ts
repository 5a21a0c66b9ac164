import type { OpenVideo, VideoPort } from '../../../platform/ports/frame-source.ts';
import type { FrameInfo } from '../../../machine/vision/face/frames.ts';

interface VideoListeners {
  /** Called before the first frame. */
  readonly onOpen: () => Promise<void>;
  readonly onFrame: (frame: VideoFrame | ImageBitmap, info: FrameInfo) => void;
}

/** The position of a video, and whether it plays from there. */
export interface VideoPlayback {
  readonly positionMs: number;
  readonly playing: boolean;
  readonly loop: boolean;
}

/** A video that was added, with its last position. */
export interface KeptVideo {
  readonly file: Blob;
  readonly name: string;
  readonly place: VideoPlayback;
}

/** The start of a video that was never shown. */
export const BEGINNING: VideoPlayback = { positionMs: 0, playing: true, loop: false };

/** The videos that were added, the one on the stage, and its playback. */
export class VideoState {
  readonly #port: VideoPort;
  video = $state.raw<OpenVideo | null>(null);
  /** All videos that were added, in that order. */
  kept = $state.raw<readonly KeptVideo[]>([]);
  /** The file of the video on the stage. */
  file = $state.raw<Blob | null>(null);
  opening: boolean = $state(false);
  /** number of requests and cancellations: a video that opens after a later one is closed again */
  #asked = 0;
  /** whether it plays when it is ready: what the bar shows until then, and what a press of its buttons changes */
  #willPlay = false;
  // The player is not reactive: its events update this copy of what the transport bar shows.
  place = $state.raw<VideoPlayback>({ playing: false, positionMs: 0, loop: false });

  constructor(port: VideoPort) {
    this.#port = port;
  }
  get playing(): boolean {
    return this.place.playing;
  }
  get positionMs(): number {
    return this.place.positionMs;
  }
  get loop(): boolean {
    return this.place.loop;
  }

  /** Adds videos; one with the same file as another is the same video. */
  keep(videos: readonly KeptVideo[]): void {
    const isKnown = ({ file }: KeptVideo): boolean => this.kept.some((kept) => kept.file === file);
    this.kept = [...this.kept, ...videos.filter((video) => !isKnown(video))];
  }

  /** Removes a video; the one on the stage is closed. */
  forget(file: Blob): void {
    if (file === this.file) this.release();
    this.kept = this.kept.filter((kept) => kept.file !== file);
  }

  /**
   * Opens a video instead of the present one, adds it, and delivers every frame that it shows, from its position
   * on. If it cannot be opened, nothing changes.
   * @throws SourceError
   */
  async start(given: KeptVideo, { onOpen, onFrame }: VideoListeners): Promise<void> {
    const { file, name, place } = given;
    const asked = ++this.#asked;
    this.opening = true;
    try {
      const video = await this.#port.open(file, name);
      video.loop = place.loop;
      try {
        if (place.positionMs > 0) await video.seek(place.positionMs); // before anybody hears of its frames
      } catch (error) {
        video.close();
        throw error;
      }
      if (asked !== this.#asked) return video.close();
      this.release();
      this.keep([given]);
      this.video = video;
      this.file = file;
      this.#willPlay = place.playing;
      this.#read();
      await onOpen();
      if (this.video !== video) return;
      video.onStateChange(() => this.#read());
      video.onFrame((frame, info) => {
        if (this.video !== video) return frame.close();
        onFrame(frame, info);
        this.#read();
      });
      if (this.#willPlay) await video.play();
    } finally {
      this.opening = false;
      if (this.file === file) this.#willPlay = false;
      this.#read();
    }
  }

  async togglePlay(): Promise<void> {
    if (this.playing) this.#pause();
    else await this.video?.play();
    this.#read();
  }

  #pause(): void {
    this.#willPlay = false;
    this.video?.pause();
  }

  async step(frames: number): Promise<void> {
    this.#pause();
    await this.video?.step(frames);
    this.#read();
  }

  async seek(positionMs: number): Promise<void> {
    await this.video?.seek(positionMs);
    this.#read();
  }

  setLoop(loop: boolean): void {
    if (this.video) this.video.loop = loop;
    this.#read();
  }

  /** Cancels the opening of a video; the one on the stage stays. */
  giveUpOpening(): void {
    this.#asked++;
  }

  /** Closes the video on the stage and stores its position. */
  release(): void {
    this.giveUpOpening();
    const [file, place] = [this.file, this.place];
    if (file) this.kept = this.kept.map((kept) => (kept.file === file ? { ...kept, place } : kept));
    this.video?.close();
    this.video = null;
    this.file = null;
    this.#willPlay = false;
    this.#read();
  }

  #read(): void {
    const { playing = false, positionMs = 0, loop = false } = this.video ?? {};
    this.place = { playing: playing || this.#willPlay, positionMs, loop };
  }
}
