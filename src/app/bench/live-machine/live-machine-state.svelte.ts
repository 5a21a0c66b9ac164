import { LinkError } from '../../../remote/live-machine/link-error.ts';
import {
  resourceApis,
  type DialStep,
  type FrameAnswer,
  type LinkRoute,
  type LiveMachine,
  type LiveResource,
  type VisionAbilities,
} from '../../../remote/live-machine/live-machine.ts';
import { hostOf } from '../../../remote/live-machine/host-of.ts';
import type { LiveModelSource } from '../../../platform/ports/model-source.ts';
import type { FrameInfo } from '../../../machine/vision/face/frames.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import { liveMachineFaultOf, type LiveMachineFault } from './live-machine-fault.ts';
import type { LiveMachinePort, MachineKey } from './live-machine-port.ts';
import { MachineFrames, type ShowImage } from './machine-frames.svelte.ts';

const MEMORY_KEY = 'live-machine';

/** The connection to a live machine, and what the person has chosen of it. */
export class LiveMachineState {
  readonly #port: LiveMachinePort;
  readonly #memory: MemoryPort;
  /** null: not connected */
  machine = $state.raw<LiveMachine | null>(null);
  url: string = $state('');
  /** the key of the connection; never shown, stored or sent to anyone but the machine */
  #usedKey: MachineKey | null = null;
  version: string = $state('');
  #resources = $state.raw<readonly LiveResource[]>([]);
  /** Resources of its configuration that the machine could not build when it was connected, one sentence each. */
  unbuilt = $state.raw<readonly string[]>([]);
  abilities = $state.raw<VisionAbilities | null>(null);
  busy: boolean = $state(false);
  /** what the attempt to connect by WebRTC waits for; null: there is none, or it is by HTTP */
  step = $state.raw<DialStep | null>(null);
  /** the route of the machine's answers; null: not known */
  route = $state.raw<LinkRoute | null>(null);
  fault = $state.raw<LiveMachineFault | null>(null);
  #link: AbortController | null = null;
  /** aborts the choice of a service that is under way */
  #choice: AbortController | null = null;
  readonly frames = new MachineFrames((error) => this.#fail(error));
  /** the address that a person typed */
  public address = $state('');
  public keyId = $state('');
  /** stored only if the person asks for it, and then encrypted */
  public key = $state('');
  public keepKey = $state(false);
  public cameraName = $state('');
  /** '': frames only */
  public visionName = $state('');

  readonly #onLeft: (url: string) => void;

  /** @param onLeft called when the person disconnects a machine: nothing is sent there any more */
  constructor(port: LiveMachinePort, memory: MemoryPort, onLeft: (url: string) => void = () => {}) {
    this.#onLeft = onLeft;
    this.#port = port;
    this.#memory = memory;
    const before = recall(memory, MEMORY_KEY) as { address?: unknown; keyId?: unknown } | null;
    if (typeof before?.address === 'string') this.address = before.address;
    if (typeof before?.keyId === 'string') this.keyId = before.keyId;
  }
  /** "robot.local:8080" */
  get host(): string {
    return hostOf(this.url);
  }
  get isFollowing(): boolean {
    return this.frames.isFollowing;
  }
  readonly cameras: readonly string[] = $derived.by(() => this.#namesOf(resourceApis.camera));
  readonly visionServices: readonly string[] = $derived.by(() => this.#namesOf(resourceApis.vision));
  readonly modelServices: readonly string[] = $derived.by(() => this.#namesOf(resourceApis.mlmodel));

  #namesOf(wanted: string): readonly string[] {
    return this.#resources.filter(({ api }) => api === wanted).map(({ name }) => name);
  }

  dismissFault(): void {
    this.fault = null;
  }

  /**
   * The machine's own results for one of its frames; null: they were not requested, or the frame is from another
   * source.
   */
  saidOf(frame: FrameInfo): FrameAnswer | null {
    if (frame.name !== this.frameName) return null;
    return this.frames.saidOf(frame.index);
  }

  /** The name of its frames: camera and machine. */
  get frameName(): string {
    return `${this.cameraName} · ${this.host}`;
  }

  /**
   * Connects to the address and lists the machine's resources. `preferred` is the vision service that the bench
   * tunes.
   */
  async connect(preferred: string | null): Promise<void> {
    this.disconnect();
    const link = (this.#link = new AbortController());
    this.busy = true;
    try {
      const { connectMachine } = await import('./connect-machine.ts');
      const connected = await connectMachine(this, this.#port, link.signal, (step) => (this.step = step));
      if (link.signal.aborted) return;
      if ('message' in connected) return void (this.fault = connected);
      const { url, key, machine, version, resources, unbuilt } = connected;
      this.machine = machine;
      this.url = url;
      this.#usedKey = key;
      this.version = version;
      this.#resources = resources;
      this.unbuilt = unbuilt;
      remember(this.#memory, MEMORY_KEY, { address: this.address, keyId: this.keyId });
      void this.updateRoute();
      await this.chooseVision(this.#firstVision(preferred));
    } catch (error) {
      if (!link.signal.aborted) this.#fail(error);
    } finally {
      if (this.#link === link) this.busy = false;
    }
  }

  /** Reads the route of the machine's answers, and its figures, again. */
  async updateRoute(): Promise<void> {
    const { machine } = this;
    const route = await machine?.route().catch(() => null);
    if (machine === this.machine) this.route = route ?? null;
  }

  #firstVision(preferred: string | null): string {
    const { visionServices } = this;
    return visionServices.find((name) => name === preferred) ?? visionServices[0] ?? '';
  }

  /**
   * Chooses the machine's vision service whose results are requested with each frame, and its camera. A later
   * choice cancels it.
   */
  async chooseVision(name: string): Promise<void> {
    this.visionName = name;
    this.abilities = null;
    this.frames.forgetSaid();
    this.#choice?.abort();
    if (name !== '' && this.machine && this.#link) {
      const choice = (this.#choice = new AbortController());
      const signal = AbortSignal.any([choice.signal, this.#link.signal]);
      try {
        const abilities = await this.machine.visionAbilities(name, signal);
        if (signal.aborted) return;
        this.abilities = abilities;
      } catch (error) {
        if (signal.aborted) return;
        this.#fail(error);
      }
    }
    const own = this.abilities?.defaultCamera ?? '';
    if (this.cameras.includes(own)) this.cameraName = own;
    else if (!this.cameras.includes(this.cameraName)) this.cameraName = this.cameras[0] ?? '';
  }

  /**
   * Shows frames until `stop` or a failure that retrying cannot repair. Rejects with LinkError if the first frame
   * fails.
   */
  async follow(show: ShowImage): Promise<void> {
    this.frames.stop();
    this.fault = null;
    const { cameraName, visionName, frameName } = this;
    const [machine, abilities] = [this.machine, this.abilities];
    if (!machine) throw new LinkError('no-answer', 'No machine is connected.', 'Type its address and connect.');
    await this.frames.follow({ machine, cameraName, visionName, abilities, frameName }, show);
  }

  /** Ends the frames; the connection stays. */
  stop(): void {
    this.frames.stop();
  }

  /** The source of a model that runs on the machine; null: not connected. */
  modelSource(modelName: string): LiveModelSource | null {
    if (!this.machine) return null;
    const { channel } = this.machine;
    // By a channel the page calls the machine for its workers, so they need no key.
    return { kind: 'live', url: this.url, modelName, ...(channel ? { key: null, channel } : { key: this.#usedKey }) };
  }

  disconnect(): void {
    if (this.machine) this.#onLeft(this.url);
    this.stop();
    this.frames.forgetSaid();
    this.#link?.abort();
    this.#link = null;
    this.machine = null;
    this.step = null;
    this.route = null;
    this.busy = false;
    this.url = '';
    this.#usedKey = null;
    this.version = '';
    this.#resources = [];
    this.unbuilt = [];
    this.abilities = null;
    this.fault = null;
  }

  #fail(error: unknown): void {
    this.fault = liveMachineFaultOf(error, 'Connect again.');
  }
}
