import { chooseAsking, type AskingWay } from '../../live-machine/choose-asking.ts';
import { LinkError, mayBeMended } from '../../live-machine/link-error.ts';
import {
  resourceApis,
  type FrameAnswer,
  type LiveCapture,
  type LiveImage,
  type LiveMachine,
  type LiveResource,
  type VisionAbilities,
} from '../../live-machine/live-machine.ts';
import { firstPicture } from '../../live-machine/first-picture.ts';
import { hostOf, readMachineAddress, whyPageCannotCall } from '../../live-machine/machine-address.ts';
import { unbuiltResources } from '../../live-machine/unbuilt-resources.ts';
import { keyHolder, typedOrKept } from '../../outbox/target-keys.ts';
import type { LiveModelSource } from '../../ports/model-source.ts';
import type { FrameInfo } from '../../vision/frame-info.ts';
import { recall, remember, type MemoryPort } from '../view/remembered.ts';
import { waitFor } from '../view/wait-for.ts';
import { imageBlob } from './image-blob.ts';
import { liveMachineFaultOf, type LiveMachineFault } from './live-machine-fault.ts';
import type { LiveMachinePort, MachineKey } from './live-machine-port.ts';
import { feedFrames, type FeedFrame } from './machine-feed.ts';

const MEMORY_KEY = 'live-machine';

/** How fast frames may come, frames a second; 0 = as fast as it goes. */
export const FRAME_RATES = [0, 10, 5, 2, 1] as const;
export type FrameRate = (typeof FRAME_RATES)[number];

/** What the machine said of a frame that was shown. */
interface Said {
  readonly index: number;
  readonly answer: FrameAnswer;
}

/** As many answers are kept as frames may be under way between the machine and the stage. */
const ANSWERS_KEPT = 8;

/** Shows an image as a frame of a stream. Resolves when it is on the stage, or was overtaken. */
export type ShowImage = (image: Blob, info: FrameInfo) => Promise<void>;

/** A live machine: the connection, what of it was chosen, and the frames that come of it. */
export class LiveMachineState {
  readonly #port: LiveMachinePort;
  readonly #memory: MemoryPort;
  #machine = $state.raw<LiveMachine | null>(null);
  #url = $state('');
  /** what it was connected with; never shown, kept or told to anyone but the machine */
  #usedKey: MachineKey | null = null;
  #version = $state('');
  #resources = $state.raw<readonly LiveResource[]>([]);
  #unbuilt = $state.raw<readonly string[]>([]);
  #abilities = $state.raw<VisionAbilities | null>(null);
  #busy = $state(false);
  #fault = $state.raw<LiveMachineFault | null>(null);
  /** ms since 1970; null = it answers */
  #lostSinceMs = $state<number | null>(null);
  #trouble = $state('');
  #way = $state.raw<AskingWay | null>(null);
  #said = $state.raw<readonly Said[]>([]);
  /** frames so far: no number is given twice, or an earlier frame would have a later one's word */
  #shown = 0;
  /** of the frame that was shown without its word, until that is there */
  #early: number | null = null;
  #link: AbortController | null = null;
  /** of the service that was chosen last */
  #choice: AbortController | null = null;
  #feed = $state.raw<AbortController | null>(null);
  /** as it was typed */
  address = $state('');
  keyId = $state('');
  /** never remembered unless that is asked for, and then encrypted */
  key = $state('');
  keepKey = $state(false);
  cameraName = $state('');
  /** '' = frames only */
  visionName = $state('');
  rate = $state<FrameRate>(0);

  constructor(port: LiveMachinePort, memory: MemoryPort) {
    this.#port = port;
    this.#memory = memory;
    const before = recall(memory, MEMORY_KEY) as { address?: unknown; keyId?: unknown } | null;
    if (typeof before?.address === 'string') this.address = before.address;
    if (typeof before?.keyId === 'string') this.keyId = before.keyId;
  }

  /** null = not connected */
  get machine(): LiveMachine | null {
    return this.#machine;
  }
  get url(): string {
    return this.#url;
  }
  /** "robot.local:8080" */
  get host(): string {
    return hostOf(this.#url);
  }
  get version(): string {
    return this.#version;
  }
  get busy(): boolean {
    return this.#busy;
  }
  get fault(): LiveMachineFault | null {
    return this.#fault;
  }
  get lostSinceMs(): number | null {
    return this.#lostSinceMs;
  }
  /** The machine's words of a camera or service that fails, while it is asked again; '' = none does. */
  get trouble(): string {
    return this.#trouble;
  }
  get isFollowing(): boolean {
    return this.#feed !== null;
  }
  /** How the machine's word on its frames is had; null while none was asked for. */
  get way(): AskingWay | null {
    return this.#way;
  }
  get abilities(): VisionAbilities | null {
    return this.#abilities;
  }
  readonly cameras: readonly string[] = $derived.by(() => this.#namesOf(resourceApis.camera));
  readonly visionServices: readonly string[] = $derived.by(() => this.#namesOf(resourceApis.vision));
  readonly modelServices: readonly string[] = $derived.by(() => this.#namesOf(resourceApis.mlmodel));

  /** Of what its configuration says, what it could not build when it was connected, and why: a sentence each. */
  get unbuilt(): readonly string[] {
    return this.#unbuilt;
  }

  #namesOf(wanted: string): readonly string[] {
    return this.#resources.filter(({ api }) => api === wanted).map(({ name }) => name);
  }

  dismissFault(): void {
    this.#fault = null;
  }

  /** What the machine said of a frame that it gave; null = it was not asked, or the frame is another source's. */
  saidOf(frame: FrameInfo): FrameAnswer | null {
    if (frame.name !== this.frameName) return null;
    return this.#said.find(({ index }) => index === frame.index)?.answer ?? null;
  }

  /** What its frames are called: camera and machine. */
  get frameName(): string {
    return `${this.cameraName} · ${this.host}`;
  }

  /** Connects to the address and lists what the machine has. `preferred` is the vision service that the bench tunes. */
  async connect(preferred: string | null): Promise<void> {
    this.disconnect();
    const address = readMachineAddress(this.address);
    if ('message' in address) return void (this.#fault = address);
    const barred = whyPageCannotCall(address.url, this.#port.pageUrl);
    if (barred) return void (this.#fault = barred);
    const link = (this.#link = new AbortController());
    this.#busy = true;
    try {
      const key = await this.#giveKey(address.url);
      const machine = await this.#port.open(address.url, key);
      const [{ version }, resources, unbuilt] = await Promise.all([
        machine.version(link.signal),
        machine.resources(link.signal),
        machine.health(link.signal).then(unbuiltResources, () => []), // an older one does not say
      ]);
      if (link.signal.aborted) return;
      this.#machine = machine;
      this.#url = address.url;
      this.#usedKey = key;
      this.#version = version;
      this.#resources = resources;
      this.#unbuilt = unbuilt;
      remember(this.#memory, MEMORY_KEY, { address: this.address, keyId: this.keyId });
      await this.chooseVision(this.#firstVision(preferred));
    } catch (error) {
      if (!link.signal.aborted) this.#fail(error);
    } finally {
      if (this.#link === link) this.#busy = false;
    }
  }

  #firstVision(preferred: string | null): string {
    const { visionServices } = this;
    return visionServices.find((name) => name === preferred) ?? visionServices[0] ?? '';
  }

  /** Chooses whose word on each frame is asked for, and the camera that it looks through. A later choice overtakes it. */
  async chooseVision(name: string): Promise<void> {
    this.visionName = name;
    this.#abilities = null;
    this.#said = []; // it was another's word
    this.#choice?.abort();
    if (name !== '' && this.#machine && this.#link) {
      const choice = (this.#choice = new AbortController());
      const signal = AbortSignal.any([choice.signal, this.#link.signal]);
      try {
        const abilities = await this.#machine.visionAbilities(name, signal);
        if (signal.aborted) return;
        this.#abilities = abilities;
      } catch (error) {
        if (signal.aborted) return;
        this.#fail(error);
      }
    }
    const own = this.#abilities?.defaultCamera ?? '';
    if (this.cameras.includes(own)) this.cameraName = own;
    else if (!this.cameras.includes(this.cameraName)) this.cameraName = this.cameras[0] ?? '';
  }

  /** Shows frames from now on, until `stop` or a failure that no patience mends. Rejects with LinkError where the first one fails. */
  async follow(show: ShowImage): Promise<void> {
    this.stop();
    const feed = (this.#feed = new AbortController());
    this.#fault = null;
    this.#said = [];
    try {
      const ask = await this.#asking(feed.signal, show);
      if (feed.signal.aborted) return;
      void this.#run(ask, show, feed);
    } catch (error) {
      if (this.#feed === feed) this.#feed = null;
      if (!feed.signal.aborted) throw error;
    }
  }

  /** The first frame is shown while the machine is still asked about it, and once more with its word. */
  async #asking(signal: AbortSignal, show: ShowImage): Promise<(signal: AbortSignal) => Promise<FeedFrame>> {
    const { visionName, cameraName } = this;
    const machine = this.#machine;
    const abilities = this.#abilities;
    if (!machine) throw new LinkError('no-answer', 'No machine is connected.', 'Type its address and connect.');
    if (visionName === '' || !abilities) {
      this.#way = null;
      return async () => ({ image: firstPicture(await machine.images(cameraName, signal), cameraName), said: null });
    }
    const { frameName } = this;
    const { way, ask } = await chooseAsking(machine, { visionName, cameraName, abilities }, signal, (image) => {
      if (signal.aborted) return;
      this.#early = this.#shown++;
      void show(imageBlob(image), infoOf(image, frameName, this.#early)).catch(() => {}); // with its word it says why
    });
    this.#way = way;
    return async () => feedFrameOf(await ask());
  }

  async #run(ask: (signal: AbortSignal) => Promise<FeedFrame>, show: ShowImage, feed: AbortController): Promise<void> {
    const { frameName } = this;
    try {
      await feedFrames(
        {
          ask,
          show: (frame) => this.#show(frame, frameName, show),
          onLost: (error) => this.#lose(error),
          leastGapMs: () => (this.rate === 0 ? 0 : 1000 / this.rate),
          wait: waitFor,
          nowMs: () => performance.now(),
        },
        feed.signal,
      );
    } catch (error) {
      if (!feed.signal.aborted) this.#fail(error);
    } finally {
      if (this.#feed === feed) this.stop();
    }
  }

  #show({ image, said }: FeedFrame, name: string, show: ShowImage): Promise<void> {
    const index = this.#early ?? this.#shown++;
    this.#early = null;
    if (said) this.#said = [...this.#said.slice(1 - ANSWERS_KEPT), { index, answer: said }];
    return show(imageBlob(image), infoOf(image, name, index));
  }

  /** No more frames; the connection stays. */
  stop(): void {
    this.#early = null;
    this.#feed?.abort();
    this.#feed = null;
    this.#lose(null);
  }

  #lose(error: LinkError | null): void {
    this.#lostSinceMs = error && (this.#lostSinceMs ?? Date.now());
    this.#trouble = error && mayBeMended(error) ? error.message : '';
  }

  /** Called when its person leaves a machine: nothing is sent there any more. */
  onLeft: (url: string) => void = () => {};

  /** What runs a model of it; null = it is not connected. */
  modelSource(modelName: string): LiveModelSource | null {
    return this.#machine && { kind: 'live', url: this.#url, modelName, key: this.#usedKey };
  }

  disconnect(): void {
    if (this.#machine) this.onLeft(this.#url);
    this.stop();
    this.#link?.abort();
    this.#link = null;
    this.#machine = null;
    this.#busy = false;
    this.#url = '';
    this.#usedKey = null;
    this.#version = '';
    this.#resources = [];
    this.#unbuilt = [];
    this.#abilities = null;
    this.#way = null;
    this.#said = [];
    this.#fault = null;
  }

  /** The key that is typed, else the one that was kept for this machine; null = it is asked without one. */
  async #giveKey(url: string): Promise<MachineKey | null> {
    const id = this.keyId.trim();
    if (id === '') return null;
    const holder = keyHolder('machine', url, id);
    const secret = await typedOrKept(await this.#port.keys(), holder, this.key, this.keepKey);
    return secret === null ? null : { id, secret };
  }

  #fail(error: unknown): void {
    this.#fault = liveMachineFaultOf(error, 'Connect again.');
  }
}

function infoOf({ capturedAtMs }: LiveImage, name: string, index: number): FrameInfo {
  const takenAt = capturedAtMs !== null && { takenAtMs: capturedAtMs };
  return { name, index, timestampMs: capturedAtMs ?? 0, ...takenAt };
}

function feedFrameOf({ image, ...said }: LiveCapture): FeedFrame {
  return { image, said };
}
