import {
  SourceError,
  type CameraPort,
  type SampleKind,
  type StillFrame,
  type StillPort,
  type VideoPort,
} from '../../../platform/ports/frame-source.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import type { FrameInfo } from '../../../machine/vision/face/frames.ts';
import { LinkError } from '../../../remote/live-machine/link-error.ts';
import type { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import { CameraState } from './camera-state.svelte.ts';
import { sourceKinds, type LiveKind, type SourceKind } from './source-kinds.ts';
import { StillsState } from './stills-state.svelte.ts';
import { BEGINNING, VideoState, type KeptVideo } from './video-state.svelte.ts';

export interface SourceFault {
  readonly message: string;
  readonly cure: string;
}

export interface SourcePorts {
  readonly camera: CameraPort;
  readonly video: VideoPort;
  readonly stills: StillPort;
}

/** The sources at the start of the page. */
export interface FirstSources {
  readonly stills: readonly StillFrame[];
  readonly videos: readonly KeptVideo[];
  /** whether a still was shown last; none: the first is shown */
  readonly isShown: (still: StillFrame) => boolean;
  /** name of the sample on the stage, '': none; samples are also shown if there are no stills */
  readonly sample: string;
  /** the video that was on the stage instead of a picture */
  readonly video: KeptVideo | null;
  /** the live source that was on the stage instead; a person has to start it again */
  readonly live: LiveKind | null;
}

/** What a kind of source does on the keys of the stage; without one of them, that key does nothing. */
interface SourceActions {
  readonly move?: (frames: number) => Promise<void>;
  readonly togglePlay?: () => Promise<void>;
}

/** A video that could not be shown. */
export interface RefusedVideo extends SourceFault {
  readonly name: string;
}

/** Where the frames come from. One source is live at a time: starting one releases the others. */
export class SourcesState {
  readonly #ports: SourcePorts;
  readonly #session: SessionState;
  readonly stills = new StillsState();
  readonly camera: CameraState;
  readonly video: VideoState;
  readonly machine: LiveMachineState;
  kind = $state<SourceKind>('stills');
  readonly #actions: Readonly<Record<SourceKind, SourceActions>> = {
    stills: { move: (frames) => this.selectStill(this.stills.index + frames) },
    camera: { togglePlay: () => (this.camera.open || this.camera.opening ? this.stopCamera() : this.startCamera()) },
    video: {
      move: (frames) => this.#attempt(() => this.video.step(frames)),
      togglePlay: () => this.#attempt(() => this.video.togglePlay()),
    },
    machine: { togglePlay: async () => (this.machine.isFollowing ? this.machine.stop() : this.startMachine()) },
  };
  fault = $state.raw<SourceFault | null>(null);
  fetching: boolean = $state(false);
  /** resolves when the first sources are known, which would otherwise replace sources that are added meanwhile */
  #begun: Promise<void> = Promise.resolve();
  /** the kind of the samples in the strip, or of those that were there last */
  sampleKind: SampleKind = $state('faces');
  #wantedSamples: SampleKind = 'faces';
  #builtin: Partial<Record<SampleKind, readonly StillFrame[]>> = {};
  /** live sources that were on the stage */
  #wereLive = $state.raw<readonly LiveKind[]>([]);

  constructor(ports: SourcePorts, session: SessionState, machine: LiveMachineState) {
    this.#ports = ports;
    this.#session = session;
    this.camera = new CameraState(ports.camera);
    this.video = new VideoState(ports.video);
    this.machine = machine;
  }
  get showsSamples(): boolean {
    return this.stills.showsSamples;
  }
  /** Live sources that were on the stage earlier, also before a reload, and are not now. */
  readonly liveBefore: readonly LiveKind[] = $derived.by(() => this.#wereLive.filter((kind) => kind !== this.kind));
  /** Name of the source on the stage. */
  get title(): string {
    return sourceKinds[this.kind].title(this);
  }

  /** The state of that source, in a word or two. */
  get figure(): string {
    return sourceKinds[this.kind].figure(this);
  }

  /** Whether it can still give a frame: a camera that was stopped or never started cannot. */
  get givesFrames(): boolean {
    return sourceKinds[this.kind].givesFrames(this);
  }

  /** Whether frames follow each other automatically now. */
  get isStreaming(): boolean {
    return sourceKinds[this.kind].isStreaming(this);
  }

  dismissFault(): void {
    this.fault = null;
  }

  /** Sets and shows the first sources. */
  async begin(find: () => Promise<FirstSources>): Promise<void> {
    let video: KeptVideo | null = null;
    this.#begun = this.#attempt(async () => {
      const first = await find();
      this.stills.add(first.stills);
      this.stills.select(first.stills.findIndex(first.isShown));
      this.video.keep(first.videos);
      if (first.live) this.#wereLive = [first.live];
      if (first.stills.length === 0 || first.sample !== '') {
        await this.#stripSamples(await this.#kindOf(first.sample));
        this.stills.select(this.stills.frames.findIndex(({ name }) => name === first.sample));
      }
      ({ video } = first);
    });
    await this.#begun;
    if (this.fault) return;
    await this.#attempt(async () => {
      if (!video) return this.#enterStills();
      try {
        await this.#showVideo(video);
      } catch (error) {
        await this.#enterStills();
        throw error;
      }
    });
  }

  /** Shows samples, of the last kind or another. The person's own pictures and videos stay, for `showOwn` and `showVideo`. */
  async showSamples(kind: SampleKind = this.sampleKind): Promise<void> {
    await this.#attempt(async () => {
      if (await this.#stripSamples(kind)) await this.#enterStills();
    });
  }

  /** Puts samples into the strip, unless another kind was asked for meanwhile. */
  async #stripSamples(kind: SampleKind): Promise<boolean> {
    this.#wantedSamples = kind;
    const samples = await this.#samples(kind);
    if (this.#wantedSamples !== kind) return false;
    this.sampleKind = kind;
    this.stills.showSamples(samples);
    return true;
  }

  /** The kind of the sample that was on the stage; '': none was. */
  async #kindOf(name: string): Promise<SampleKind> {
    if (name === '' || (await this.#samples('faces')).some((sample) => sample.name === name)) return 'faces';
    return (await this.#samples('things')).some((sample) => sample.name === name) ? 'things' : 'faces';
  }

  /** Shows the person's own pictures again, at the last shown one. */
  async showOwn(): Promise<void> {
    await this.#attempt(async () => {
      this.stills.showOwn();
      await this.#enterStills();
    });
  }

  async #samples(kind: SampleKind): Promise<readonly StillFrame[]> {
    return (this.#builtin[kind] ??= await this.#ports.stills.builtin(kind));
  }

  /** Like `add`, for pictures with unique names: one of the same name is replaced. */
  async showStills(frames: readonly StillFrame[]): Promise<void> {
    await this.#begun;
    await this.#attempt(async () => {
      this.stills.add(frames, { isOnce: true });
      await this.#enterStills();
    });
  }

  /**
   * Appends pictures and videos, and shows the first video, otherwise the first picture. Resolves to the videos
   * that could not be shown; the others are kept.
   */
  async add(
    stills: readonly StillFrame[],
    videos: readonly { readonly file: Blob; readonly name: string }[],
  ): Promise<readonly RefusedVideo[]> {
    await this.#begun;
    const refused: RefusedVideo[] = [];
    await this.#attempt(async () => {
      this.stills.add(stills);
      const given = videos.map(({ file, name }) => ({ file, name, place: BEGINNING }));
      for (const [at, video] of given.entries()) {
        try {
          await this.#showVideo(video);
          return this.video.keep(given.slice(at));
        } catch (error) {
          refused.push({ name: video.name, ...faultOf(error) });
        }
      }
      if (stills.length > 0) await this.#enterStills();
    });
    return refused;
  }

  /** Removes a picture from the strip; after the last one, the samples are shown. */
  async removeStill(index: number): Promise<void> {
    const { shown } = this.stills;
    this.stills.remove(index);
    if (this.stills.own.length === 0) await this.#endOwn();
    else if (this.stills.shown !== shown && this.kind === 'stills') await this.#attempt(() => this.#enterStills());
  }

  /** Removes all of the person's own pictures. */
  async removeOwn(): Promise<void> {
    this.stills.removeOwn();
    await this.#endOwn();
  }

  async #endOwn(): Promise<void> {
    if (this.kind === 'stills') return this.showSamples();
    await this.#stripSamples(this.sampleKind);
  }

  /** Removes a video; if it was on the stage, the pictures are shown. */
  async removeVideo(file: Blob): Promise<void> {
    const isShown = this.kind === 'video' && file === this.video.file;
    this.video.forget(file);
    if (isShown) await this.#attempt(() => this.#enterStills());
  }

  async startCamera(): Promise<void> {
    await this.#attempt(async () => {
      this.#leaveMachine();
      this.video.giveUpOpening();
      if (this.camera.open) await this.#session.stop();
      const camera = await this.camera.start(() => this.#cameraGone());
      if (!camera) return; // A later choice overtook this one.
      this.video.release();
      this.#enterLive('camera');
      this.#session.changeSource(this.title);
      await this.#session.follow(camera.frames, camera.label);
    });
  }

  /** Shows the frames of the connected machine's camera. */
  async startMachine(): Promise<void> {
    await this.#attempt(async () => {
      await this.#leaveLive();
      this.video.release();
      this.#session.endStream();
      this.#enterLive('machine');
      this.#session.changeSource(this.title);
      await this.machine.follow((image, info) => this.#session.runStreamed(image, info));
    });
  }

  async stopCamera(): Promise<void> {
    this.camera.release();
    await this.#session.stop();
  }

  async useUrl(url: string): Promise<void> {
    this.fetching = true;
    await this.#attempt(async () => {
      this.stills.add([await this.#ports.stills.fromUrl(url)]);
      await this.#enterStills();
    });
    this.fetching = false;
  }

  async selectStill(index: number): Promise<void> {
    if (this.kind === 'stills' && !this.stills.select(index)) return;
    this.stills.select(index);
    await this.#attempt(() => this.#enterStills());
  }

  /** Goes to another frame of a set of pictures or a video. */
  async move(frames: number): Promise<void> {
    await this.#actions[this.kind].move?.(frames);
  }

  /** Plays or pauses a video, starts or stops the webcam or the machine's camera. */
  /** Moves the video on the stage to a moment, or says why its player does not show that. */
  async seek(positionMs: number): Promise<void> {
    await this.#attempt(() => this.video.seek(positionMs));
  }

  async togglePlay(): Promise<void> {
    await this.#actions[this.kind].togglePlay?.();
  }

  async #showVideo(video: KeptVideo): Promise<void> {
    await this.video.start(video, {
      onOpen: async () => {
        await this.#leaveLive();
        this.#session.endStream();
        this.kind = 'video';
        this.#session.changeSource(video.name);
      },
      onFrame: (frame: VideoFrame | ImageBitmap, info: FrameInfo) => void this.#session.runStreamed(frame, info),
    });
  }

  /** Shows a stored video instead of the present source, from its last position. */
  async showVideo(video: KeptVideo): Promise<void> {
    await this.#attempt(() => this.#showVideo(video));
  }

  #enterLive(kind: LiveKind): void {
    this.kind = kind;
    this.#wereLive = [...this.#wereLive.filter((other) => other !== kind), kind];
  }

  async #enterStills(): Promise<void> {
    await this.#leaveLive();
    this.video.release();
    this.kind = 'stills';
    const index = this.stills.index;
    const still = this.stills.shown;
    if (!still) return;
    this.#session.changeSource(still.name, this.showsSamples ? 'the samples' : 'these pictures');
    const blob = await this.#contentOf(still);
    if (this.stills.shown !== still || this.kind !== 'stills') return; // A later choice overtook this one.
    await this.#session.run(blob, { name: still.name, index, timestampMs: 0 });
  }

  async #contentOf(still: StillFrame): Promise<Blob> {
    try {
      return await still.blob();
    } catch (error) {
      if (this.stills.shown === still && this.kind === 'stills') this.#session.sourceFailed(error);
      throw error;
    }
  }

  async #leaveLive(): Promise<void> {
    this.#leaveMachine();
    if (this.camera.open) await this.stopCamera();
    else this.camera.release();
  }

  #leaveMachine(): void {
    if (this.machine.isFollowing) this.machine.stop();
  }

  #cameraGone(): void {
    void this.stopCamera();
    this.fault = {
      message: 'The camera was disconnected.',
      cure: 'Plug it in again, or close the program that took it, then start it again.',
    };
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.dismissFault();
    try {
      await work();
    } catch (error) {
      this.fault = faultOf(error);
    }
  }
}

function faultOf(error: unknown): SourceFault {
  return error instanceof SourceError || error instanceof LinkError
    ? { message: error.message, cure: error.cure }
    : { message: errorMessage(error), cure: 'Try another source.' };
}
