import type { AskingMethod } from '../../../live-machine/choose-asking.ts';
import { LinkError, mayComeBack } from '../../../live-machine/link-error.ts';
import type { LiveImage } from '../../../live-machine/live-machine.ts';
import type { ParitySubject } from '../../../live-machine/parity-report.ts';
import type { Proof } from '../../../live-machine/prove-frames.ts';
import type { ServiceFilterRule } from '../../../vision/filter/thresholds.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import { answerUnder } from './agreement.svelte.ts';
import { imageBlob } from '../live-machine/image-blob.ts';
import { liveMachineFaultOf, type LiveMachineFault } from '../live-machine/live-machine-fault.ts';

export interface ProofDependencies {
  readonly session: SessionState;
  readonly sources: SourcesState;
  readonly rule: () => ServiceFilterRule;
  readonly model: () => ModelDescription | null;
  readonly configText: () => string;
}

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
    const { sources, rule } = this.#dependencies;
    const { machine, abilities, visionName, cameraName } = sources.machine;
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
      const [{ chooseAsking }, { proveFrames }] = await Promise.all([
        import('../../../live-machine/choose-asking.ts'),
        import('../../../live-machine/prove-frames.ts'),
      ]);
      const asking = await chooseAsking(machine, { visionName, cameraName, abilities }, signal);
      this.way = asking.way;
      const facts = { model: await this.#modelFacts(signal), rule: rule() };
      return await proveFrames(asking.ask, (image) => this.#answerHere(image), {
        frames,
        facts,
        confirm: asking.confirm,
        signal,
        onProgress: (soFar) => {
          this.way = asking.way;
          onProgress(soFar);
        },
      });
    } catch (error) {
      if (error instanceof LinkError && mayComeBack(error)) goesOn = false;
      throw error;
    } finally {
      const isStillThere = sources.kind === 'machine' && sources.machine.machine === machine;
      if (goesOn && isStillThere) void sources.startMachine();
    }
  }

  async #answerHere(image: LiveImage) {
    const { session, rule } = this.#dependencies;
    const result = await session.runAside(imageBlob(image), 'proof');
    const [problem] = result.problems;
    if (problem && !result.detections && !result.classifications) throw new Error(problem.message);
    const source = result.stages[0]!;
    return { ...answerUnder(result, rule()), widthPx: source.widthPx, heightPx: source.heightPx };
  }

  async #modelFacts(signal: AbortSignal) {
    const { model, sources } = this.#dependencies;
    const loaded = model();
    const { machine, modelServices } = sources.machine;
    if (!loaded || !machine || modelServices.length !== 1) return null;
    const there = await machine.modelMetadata(modelServices[0]!, signal).catch(() => null);
    return { inputs: loaded.inputs, outputs: loaded.outputs, there };
  }

  /** The report as a page and as data; null: there is none yet. */
  async report(): Promise<{ readonly html: string; readonly json: string } | null> {
    const { parityHtml, parityJson } = await import('../../../live-machine/parity-report.ts');
    if (!this.proof) return null;
    const { sources, model, configText } = this.#dependencies;
    const { url, version, visionName, cameraName } = sources.machine;
    const loaded = model();
    const subject: ParitySubject = {
      address: url,
      machineVersion: version,
      visionName,
      cameraName,
      asked: this.way ?? 'with-the-frame',
      backend:
        loaded?.backend === 'live' ? `on the machine, model service ${loaded.fileName}` : (loaded?.backend ?? ''),
      modelFileName: loaded?.fileName ?? '',
      modelSha256: loaded?.sha256 ?? '',
      configText: configText(),
      startedAtMs: this.#startedAtMs,
      endedAtMs: this.#endedAtMs,
    };
    return {
      html: parityHtml(subject, this.proof),
      json: `${JSON.stringify(parityJson(subject, this.proof), null, 2)}\n`,
    };
  }
}
