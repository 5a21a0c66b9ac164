import {
  SourceError,
  type CameraPort,
  type StillFrame,
  type StillPort,
  type VideoPort,
} from '../../ports/frame-source.ts';
import { errorMessage } from '../../vision/error-words.ts';
import type { FrameInfo } from '../../vision/frame-info.ts';
import { LinkError } from '../../live-machine/link-error.ts';
import type { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import { isLabelListName, modelAmong, opensByName } from '../../ports/model-file-name.ts';
import { CameraState } from './camera-state.svelte.ts';
import { nameSome } from './name-some.ts';
import { StillsState } from './stills-state.svelte.ts';
import { VideoState, type VideoPlace } from './video-state.svelte.ts';

export type SourceKind = 'stills' | 'camera' | 'video' | 'machine';

export interface SourceFault {
  readonly message: string;
  readonly cure: string;
}

export interface SourcePorts {
  readonly camera: CameraPort;
  readonly video: VideoPort;
  readonly stills: StillPort;
}

/** What a bench begins with. */
export interface FirstSources {
  /** none = the samples */
  readonly stills: readonly StillFrame[];
  /** the one that is on the stage; none = the first */
  readonly isShown: (still: StillFrame) => boolean;
  /** is on the stage in its stead */
  readonly video: { readonly file: Blob; readonly name: string; readonly place: VideoPlace } | null;
}

type Gathered = ReturnType<StillPort['fromFiles']>;

/** Where the frames come from. One source is live at a time: starting one releases the others. */
export class SourcesState {
  readonly #ports: SourcePorts;
  readonly #session: SessionState;
  readonly stills = new StillsState();
  readonly camera: CameraState;
  readonly video: VideoState;
  readonly machine: LiveMachineState;
  #kind = $state<SourceKind>('stills');
  #fault = $state.raw<SourceFault | null>(null);
  #note = $state('');
  #fetching = $state(false);
  /** until a bench that starts has what it begins with, which would take the place of what is given meanwhile */
  #begun: Promise<void> = Promise.resolve();
  #builtin = $state.raw<readonly StillFrame[]>([]);
  /** A model among what was dropped goes to whoever loads models, with the files that may belong to it; false where it did not load. */
  onModelFile: (file: File, beside: readonly File[]) => Promise<boolean> = () => Promise.resolve(false);
  /** A configuration or a label list among it likewise; false when the file is neither. */
  onTextFile: (file: File) => Promise<boolean> = () => Promise.resolve(false);

  constructor(ports: SourcePorts, session: SessionState, machine: LiveMachineState) {
    this.#ports = ports;
    this.#session = session;
    this.camera = new CameraState(ports.camera);
    this.video = new VideoState(ports.video);
    this.machine = machine;
  }

  get kind(): SourceKind {
    return this.#kind;
  }
  get fault(): SourceFault | null {
    return this.#fault;
  }
  /** What was left aside of the last drop, in words. */
  get note(): string {
    return this.#note;
  }
  get fetching(): boolean {
    return this.#fetching;
  }
  get showsSamples(): boolean {
    return this.#builtin.length > 0 && this.stills.frames === this.#builtin;
  }
  /** Name of what is on the stage. */
  get title(): string {
    if (this.#kind === 'camera') return this.camera.open?.label || 'Webcam';
    if (this.#kind === 'video') return this.video.video?.name ?? 'Video';
    if (this.#kind === 'machine') return this.machine.frameName;
    return this.stills.shown?.name ?? 'No frames';
  }

  /** Whether it may still give a frame: a camera that was stopped, or never started, gives none. */
  get givesFrames(): boolean {
    if (this.#kind === 'camera') return this.camera.open !== null;
    return this.#kind !== 'machine' || this.machine.isFollowing;
  }

  /** Whether frames follow each other by themselves now. */
  get isStreaming(): boolean {
    if (this.#kind === 'camera') return this.camera.open !== null;
    if (this.#kind === 'machine') return this.machine.isFollowing;
    return this.#kind === 'video' && this.video.playing;
  }

  dismissFault(): void {
    this.#fault = null;
    this.#note = '';
  }

  /** Puts in place what the bench begins with, and shows it. */
  async begin(find: () => Promise<FirstSources>): Promise<void> {
    let video: FirstSources['video'] = null;
    this.#begun = this.#attempt(async () => {
      const first = await find();
      this.stills.replace(first.stills.length > 0 ? first.stills : await this.#samples());
      this.stills.select(this.stills.frames.findIndex(first.isShown));
      ({ video } = first);
    });
    await this.#begun;
    if (this.#fault) return;
    await this.#attempt(async () => {
      if (!video) return this.#enterStills();
      try {
        await this.#useVideo(video.file, video.name, video.place);
      } catch (error) {
        await this.#enterStills();
        throw error;
      }
    });
  }

  async showSamples(): Promise<void> {
    await this.#attempt(async () => {
      this.stills.replace(await this.#samples());
      await this.#enterStills();
    });
  }

  async #samples(): Promise<readonly StillFrame[]> {
    if (!this.#builtin.length) this.#builtin = await this.#ports.stills.builtin();
    return this.#builtin;
  }

  /** Puts stills in the place of those in the strip, and the first of them on the stage. */
  async showStills(frames: readonly StillFrame[]): Promise<void> {
    await this.#begun;
    await this.#attempt(async () => {
      this.stills.replace(frames);
      await this.#enterStills();
    });
  }

  /** Puts stills behind those in the strip, or in the place of the samples, and the first of them on the stage. */
  async addStills(frames: readonly StillFrame[]): Promise<void> {
    await this.#attempt(() => this.#useStills(frames));
  }

  /** Takes a picture out of the strip; after the last one the samples come back. */
  async removeStill(index: number): Promise<void> {
    const { shown } = this.stills;
    this.stills.remove(index);
    if (this.stills.frames.length === 0) await this.showSamples();
    else if (this.stills.shown !== shown && this.#kind === 'stills') await this.#attempt(() => this.#enterStills());
  }

  async startCamera(): Promise<void> {
    await this.#attempt(async () => {
      this.#leaveMachine();
      this.video.giveUpOpening();
      if (this.camera.open) await this.#session.stop();
      const camera = await this.camera.start(() => this.#cameraGone());
      if (!camera) return; // A later choice overtook this one.
      this.video.release();
      this.#kind = 'camera';
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
      this.#kind = 'machine';
      this.#session.changeSource(this.title);
      await this.machine.follow((image, info) => this.#session.runStreamed(image, info));
    });
  }

  async stopCamera(): Promise<void> {
    this.camera.release();
    await this.#session.stop();
  }

  async useTransfer(items: DataTransfer): Promise<void> {
    const gathered = this.#ports.stills.fromTransfer(items); // at once: a drop's items are gone after the event
    await this.#attempt(async () => {
      const [given] = await Promise.all([gathered, this.#begun]);
      await this.#use(given);
    });
  }

  async useFiles(files: readonly File[]): Promise<void> {
    await this.#attempt(async () => {
      await this.#begun;
      await this.#use(this.#ports.stills.fromFiles(files));
    });
  }

  async useUrl(url: string): Promise<void> {
    this.#fetching = true;
    await this.#attempt(async () => this.#useStills([await this.#ports.stills.fromUrl(url)]));
    this.#fetching = false;
  }

  async selectStill(index: number): Promise<void> {
    if (this.#kind === 'stills' && !this.stills.select(index)) return;
    this.stills.select(index);
    await this.#attempt(() => this.#enterStills());
  }

  /** The next or an earlier frame of a folder or a video. */
  async move(frames: number): Promise<void> {
    if (this.#kind === 'video') await this.#attempt(() => this.video.step(frames));
    else if (this.#kind === 'stills') await this.selectStill(this.stills.index + frames);
  }

  /** Plays or pauses a video, starts or stops the webcam or the machine's camera. */
  async togglePlay(): Promise<void> {
    if (this.#kind === 'video') await this.#attempt(() => this.video.togglePlay());
    else if (this.#kind === 'camera')
      await (this.camera.open || this.camera.opening ? this.stopCamera() : this.startCamera());
    else if (this.#kind === 'machine') await (this.machine.isFollowing ? this.machine.stop() : this.startMachine());
  }

  async #use(gathered: Gathered): Promise<void> {
    const { stills, videos } = gathered;
    const model = modelAmong(gathered.models);
    // Beside pictures, an .xml is an annotation and a .bin anything: those are models only where they come alone.
    const isMeant = model !== null && (opensByName(model.file.name) || stills.length + videos.length === 0);
    const models = isMeant ? gathered.models : [];
    const all = isMeant ? gathered.others : [...gathered.models, ...gathered.others];
    const labels = isMeant ? all.filter(({ name }) => isLabelListName(name)) : [];
    const rest = all.filter((file) => !labels.includes(file));
    const taken = await Promise.all(rest.map((file) => this.onTextFile(file)));
    const others = rest.filter((_, i) => !taken[i]);
    if (isMeant) void this.#useModel(model.file, model.beside, labels); // for the configuration that came with it
    if (others.length) this.#note = `Left aside: ${nameSome(others.map(({ name }) => name))}.`;
    if (videos[0]) await this.#useVideo(videos[0], videos[0].name);
    else if (stills.length) await this.#useStills(stills);
    else if (!models.length && others.length) {
      this.#note = '';
      throw new SourceError(
        'unsupported',
        `${others[0]!.name} is no image, video, model, configuration or label list that this browser reads.`,
        'Use JPEG, PNG or WebP images, MP4 or WebM video, an .onnx or .tflite model, a .json configuration or a .txt label list.',
      );
    }
  }

  /** Labels that came with a model are its own: until it runs they would name the classes of the one before. */
  async #useModel(file: File, beside: readonly File[], labels: readonly File[]): Promise<void> {
    if (await this.onModelFile(file, beside)) for (const list of labels) await this.onTextFile(list);
    else if (labels.length > 0) this.#note = `Left aside with the model: ${nameSome(labels.map(({ name }) => name))}.`;
  }

  async #useStills(frames: readonly StillFrame[]): Promise<void> {
    if (this.showsSamples) this.stills.replace(frames);
    else this.stills.append(frames);
    await this.#enterStills();
  }

  async #useVideo(file: Blob, name: string, from?: VideoPlace): Promise<void> {
    const listeners = {
      onOpen: async () => {
        await this.#leaveLive();
        this.#session.endStream();
        this.#kind = 'video';
        this.#session.changeSource(name);
      },
      onFrame: (frame: VideoFrame | ImageBitmap, info: FrameInfo) => void this.#session.runStreamed(frame, info),
    };
    await this.video.start(file, name, listeners, from);
  }

  /** Shows a video in the place of what is on the stage. */
  async showVideo(file: Blob, name: string): Promise<void> {
    await this.#attempt(() => this.#useVideo(file, name));
  }

  async #enterStills(): Promise<void> {
    await this.#leaveLive();
    this.video.release();
    this.#kind = 'stills';
    const index = this.stills.index;
    const still = this.stills.shown;
    if (!still) return;
    this.#session.changeSource(still.name, this.showsSamples ? 'the samples' : 'these pictures');
    const blob = await this.#contentOf(still);
    if (this.stills.shown !== still || this.#kind !== 'stills') return; // A later choice overtook this one.
    await this.#session.run(blob, { name: still.name, index, timestampMs: 0 });
  }

  async #contentOf(still: StillFrame): Promise<Blob> {
    try {
      return await still.blob();
    } catch (error) {
      if (this.stills.shown === still && this.#kind === 'stills') this.#session.sourceFailed(error);
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
    this.#fault = {
      message: 'The camera went away.',
      cure: 'Plug it in again, or close the program that took it, then start it once more.',
    };
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.dismissFault();
    try {
      await work();
    } catch (error) {
      this.#fault =
        error instanceof SourceError || error instanceof LinkError
          ? { message: error.message, cure: error.cure }
          : { message: errorMessage(error), cure: 'Try another source.' };
    }
  }
}
