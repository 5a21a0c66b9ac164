import type { OpenVideo, VideoPort } from '../../../ports/frame-source.ts';
import type { FrameInfo } from '../../../vision/frame-info.ts';

interface VideoListeners {
  /** Called before the first frame. */
  readonly onOpen: () => Promise<void>;
  readonly onFrame: (frame: VideoFrame | ImageBitmap, info: FrameInfo) => void;
}

/** Where a video stands, and whether it goes on from there. */
export interface VideoPlace {
  readonly positionMs: number;
  readonly playing: boolean;
  readonly loop: boolean;
}

/** A video that was given: on the stage, or to be shown again from where it stood. */
export interface KeptVideo {
  readonly file: Blob;
  readonly name: string;
  readonly place: VideoPlace;
}

/** Where a video begins that was never shown. */
export const BEGINNING: VideoPlace = { positionMs: 0, playing: true, loop: false };

/** The videos that were given, the one on the stage, and its transport. */
export class VideoState {
  readonly #port: VideoPort;
  #video = $state.raw<OpenVideo | null>(null);
  #kept = $state.raw<readonly KeptVideo[]>([]);
  /** of the video on the stage */
  #file = $state.raw<Blob | null>(null);
  #opening = $state(false);
  /** how often a video was asked for or given up: an older one that opens late is let go */
  #asked = 0;
  // The player is no rune: its announcements renew this copy of what the transport bar shows.
  #transport = $state.raw<VideoPlace>({ playing: false, positionMs: 0, loop: false });

  constructor(port: VideoPort) {
    this.#port = port;
  }

  get video(): OpenVideo | null {
    return this.#video;
  }
  /** Every video that was given, in the order in which they came. */
  get kept(): readonly KeptVideo[] {
    return this.#kept;
  }
  /** What the video on the stage is read from. */
  get file(): Blob | null {
    return this.#file;
  }
  get place(): VideoPlace {
    return this.#transport;
  }
  get opening(): boolean {
    return this.#opening;
  }
  get playing(): boolean {
    return this.#transport.playing;
  }
  get positionMs(): number {
    return this.#transport.positionMs;
  }
  get loop(): boolean {
    return this.#transport.loop;
  }

  /** Keeps videos beside those that are there; one of a file that is there is the same. */
  keep(videos: readonly KeptVideo[]): void {
    const isKnown = ({ file }: KeptVideo): boolean => this.#kept.some((kept) => kept.file === file);
    this.#kept = [...this.#kept, ...videos.filter((video) => !isKnown(video))];
  }

  /** Forgets a video; the one on the stage is closed. */
  forget(file: Blob): void {
    if (file === this.#file) this.release();
    this.#kept = this.#kept.filter((kept) => kept.file !== file);
  }

  /**
   * Opens a video, in the place of the one before, keeps it, and delivers every frame that it shows, from its place on. One that does
   * not open leaves everything as it is. @throws SourceError
   */
  async start(given: KeptVideo, { onOpen, onFrame }: VideoListeners): Promise<void> {
    const { file, name, place } = given;
    const asked = ++this.#asked;
    this.#opening = true;
    try {
      const video = await this.#port.open(file, name);
      video.loop = place.loop;
      if (place.positionMs > 0) await video.seek(place.positionMs); // before anybody hears of its frames
      if (asked !== this.#asked) return video.close();
      this.release();
      this.keep([given]);
      this.#video = video;
      this.#file = file;
      await onOpen();
      video.onStateChange(() => this.#read());
      video.onFrame((frame, info) => {
        if (this.#video !== video) return frame.close();
        onFrame(frame, info);
        this.#read();
      });
      this.#read();
      if (place.playing) await video.play();
    } finally {
      this.#opening = false;
    }
  }

  async togglePlay(): Promise<void> {
    if (this.playing) this.#video?.pause();
    else await this.#video?.play();
    this.#read();
  }

  async step(frames: number): Promise<void> {
    this.#video?.pause();
    await this.#video?.step(frames);
    this.#read();
  }

  async seek(positionMs: number): Promise<void> {
    await this.#video?.seek(positionMs);
    this.#read();
  }

  setLoop(loop: boolean): void {
    if (this.#video) this.#video.loop = loop;
    this.#read();
  }

  /** Gives up a video that is still to open; the one that is open stays. */
  giveUpOpening(): void {
    this.#asked++;
  }

  /** Closes the video on the stage, which is kept with the place where it stands. */
  release(): void {
    this.giveUpOpening();
    const [file, place] = [this.#file, this.#transport];
    if (file) this.#kept = this.#kept.map((kept) => (kept.file === file ? { ...kept, place } : kept));
    this.#video?.close();
    this.#video = null;
    this.#file = null;
    this.#read();
  }

  #read(): void {
    const { playing = false, positionMs = 0, loop = false } = this.#video ?? {};
    this.#transport = { playing, positionMs, loop };
  }
}
