import type { OpenVideo, VideoPort } from '../../ports/frame-source.ts';
import type { FrameInfo } from '../../vision/frame-info.ts';

interface VideoListeners {
  /** Called before the first frame. */
  readonly onOpen: () => Promise<void>;
  readonly onFrame: (frame: VideoFrame | ImageBitmap, info: FrameInfo) => void;
}

/** The video on the stage and its transport. */
export class VideoState {
  readonly #port: VideoPort;
  #video = $state.raw<OpenVideo | null>(null);
  #opening = $state(false);
  /** how often a video was asked for or given up: an older one that opens late is let go */
  #asked = 0;
  // The player is no rune: its announcements renew this copy of what the transport bar shows.
  #transport = $state.raw({ playing: false, positionMs: 0, loop: false });

  constructor(port: VideoPort) {
    this.#port = port;
  }

  get video(): OpenVideo | null {
    return this.#video;
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

  /**
   * Opens a file, in the place of the video before, and delivers every frame that it shows. One that does not open leaves
   * everything as it is. @throws SourceError
   */
  async start(file: Blob, name: string, { onOpen, onFrame }: VideoListeners): Promise<void> {
    const asked = ++this.#asked;
    this.#opening = true;
    try {
      const video = await this.#port.open(file, name);
      if (asked !== this.#asked) return video.close();
      this.release();
      this.#video = video;
      await onOpen();
      video.onStateChange(() => this.#read());
      video.onFrame((frame, info) => {
        if (this.#video !== video) return frame.close();
        onFrame(frame, info);
        this.#read();
      });
      this.#read();
      await video.play();
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

  release(): void {
    this.#asked++;
    this.#video?.close();
    this.#video = null;
    this.#read();
  }

  #read(): void {
    const { playing = false, positionMs = 0, loop = false } = this.#video ?? {};
    this.#transport = { playing, positionMs, loop };
  }
}
