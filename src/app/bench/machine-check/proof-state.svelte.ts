import type { AskingMethod } from '../../../remote/live-machine/choose-asking.ts';
import { LinkError, mayComeBack } from '../../../remote/live-machine/link-error.ts';
import type { Proof } from '../../../remote/live-machine/prove-frames.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import { lateState } from '../session/late-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import type { ProofDependencies } from './prove.ts';
import { liveMachineFaultOf, type LiveMachineFault } from '../live-machine/live-machine-fault.ts';

/** The choices for the number of frames to compare. */
export const FRAME_COUNTS = [10, 100, 1000, 10_000] as const;

/** A comparison of many frames, run while the stage is paused. */
export class ProofState {
  readonly #dependencies: ProofDependencies;
  isOpen: boolean = $state(false);
  proof = $state.raw<Proof | null>(null);
  way = $state.raw<AskingMethod | null>(null);
  fault = $state.raw<LiveMachineFault | null>(null);
  #abort = $state.raw<AbortController | null>(null);
  #startedAtMs = 0;
  #endedAtMs = 0;
  /** number of frames to compare */
  public frames = $state<number>(1000);

  constructor(dependencies: ProofDependencies) {
    this.#dependencies = dependencies;
  }
  get isRunning(): boolean {
    return this.#abort !== null;
  }

  /** The machine's own model runs for the bench, too. */
  get isModelBorrowed(): boolean {
    return this.#dependencies.model()?.backend === 'live';
  }

  open(): void {
    this.isOpen = true;
    this.proof = null;
    this.fault = null;
  }

  close(): void {
    this.cancel();
    this.isOpen = false;
  }

  /** Ends the comparison with the frames so far. */
  cancel(): void {
    this.#abort?.abort();
    this.#abort = null;
  }

  async run(): Promise<void> {
    if (this.#abort) return;
    const abort = (this.#abort = new AbortController());
    this.proof = null;
    this.fault = null;
    this.#startedAtMs = Date.now();
    try {
      this.proof = await this.prove(this.frames, abort.signal, (soFar) => {
        if (this.#abort === abort) this.proof = soFar;
      });
    } catch (error) {
      if (!abort.signal.aborted) this.fault = liveMachineFaultOf(error, 'Correct that, then try again.');
    } finally {
      this.#endedAtMs = Date.now();
      if (this.#abort === abort) this.#abort = null;
    }
  }

  /**
   * Compares frames of the chosen service and camera while the stage is paused; afterwards the frames are shown
   * again, unless the machine is unreachable. Rejects with the error of either side.
   */
  async prove(frames: number, signal: AbortSignal, onProgress: (soFar: Proof) => void = () => {}): Promise<Proof> {
    const { sources } = this.#dependencies;
    const { machine, abilities } = sources.machine;
    if (!machine || !abilities) {
      throw new LinkError(
        'no-answer',
        'No vision service of a machine is chosen.',
        'Connect to a machine, and choose one.',
      );
    }
    let goesOn = sources.machine.isFollowing;
    sources.machine.stop();
    try {
      const { prove } = await import('./prove.ts');
      const onWay = (way: AskingMethod) => (this.way = way);
      return await prove({ ...this.#dependencies, machine, abilities, frames, signal, onWay, onProgress });
    } catch (error) {
      if (error instanceof LinkError && mayComeBack(error)) goesOn = false;
      throw error;
    } finally {
      const isStillThere = sources.kind === 'machine' && sources.machine.machine === machine;
      if (goesOn && isStillThere) void sources.startMachine();
    }
  }

  /** The report as a page and as data; null: there is none yet. */
  async report(): Promise<{ readonly html: string; readonly json: string } | null> {
    const { reportOf } = await import('./prove.ts');
    const { proof, way } = this;
    const times = { startedAtMs: this.#startedAtMs, endedAtMs: this.#endedAtMs };
    return proof && reportOf(proof, { ...this.#dependencies, ...times, way });
  }
}

/** What of a bench is compared over many frames. */
interface ProvenBench {
  readonly config: ConfigState;
  readonly models: ModelsState;
  readonly serviceName: string;
  readonly session: SessionState;
  readonly sources: SourcesState;
}

export const proofOf = lateState(
  (bench: ProvenBench) =>
    new ProofState({
      session: bench.session,
      sources: bench.sources,
      rule: () => bench.config.filter,
      model: () => bench.models.of(bench.serviceName),
      config: bench.config,
    }),
);
