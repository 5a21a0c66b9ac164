import type { ComparisonTask, SidesCompared } from '../../../../workers/backends/client.ts';
import { errorMessage } from '../../../machine/vision/errors/error-message.ts';
import type { BackendsBench } from './backends-bench.ts';
import { gatherFrames } from './gather-frames.ts';
import { sideTask, type SideChoice } from './sides.ts';

export interface Found {
  readonly compared: SidesCompared;
  readonly task: ComparisonTask;
  readonly reference: SideChoice;
  readonly other: SideChoice;
  /** the model of the stage when it began */
  readonly modelId: string;
}

/** A comparison of two sides on request. Whatever is late, behind a later start, a cancel or another model, is dropped. */
export class ComparisonRun {
  readonly #bench: BackendsBench;
  /** null: nothing runs */
  progress = $state.raw<{ readonly doing: 'frames' | 'runs'; readonly fraction: number } | null>(null);
  /** why there is no result; '': there is, or nothing was asked */
  fault: string = $state.raw('');
  #found = $state.raw<Found | null>(null);
  #abort: AbortController | null = null;

  constructor(bench: BackendsBench) {
    this.#bench = bench;
  }

  /** The last result, as long as its model is on the stage. */
  get found(): Found | null {
    return this.#found?.modelId === this.#modelId ? this.#found : null;
  }

  get #modelId(): string | undefined {
    return this.#bench.models.of(this.#bench.serviceName)?.modelId;
  }

  /** @param most frames */
  async start(reference: SideChoice, other: SideChoice, most: number): Promise<void> {
    this.cancel();
    const abort = new AbortController();
    this.#abort = abort;
    this.fault = '';
    this.#found = null;
    const modelId = this.#modelId ?? '';
    const tell = (doing: 'frames' | 'runs', fraction: number): void => {
      if (this.#abort === abort) this.progress = { doing, fraction };
    };
    tell('frames', 0);
    try {
      const { config, cameraName } = this.#bench.plan;
      const steps = { cameraName, config: $state.snapshot(config) as typeof config };
      const sides = { reference: sideTask(this.#bench, reference), other: sideTask(this.#bench, other) };
      const pictures = await gatherFrames(this.#bench, most, (count) => tell('frames', count / most), abort.signal);
      abort.signal.throwIfAborted();
      if (pictures.length === 0) throw new Error('There is no frame on the stage.');
      const runs = (fraction: number): void => tell('runs', fraction);
      const task = { ...steps, ...sides, pictures };
      const port = await this.#bench.openBackends();
      const compared = await port.compareBackends(task, runs, abort.signal);
      if (this.#abort !== abort || this.#modelId !== modelId) return;
      this.#found = { compared, task, reference, other, modelId };
    } catch (error) {
      if (this.#abort === abort) this.fault = `The sides could not be compared: ${errorMessage(error)}`;
    } finally {
      if (this.#abort === abort) this.#end();
    }
  }

  /** Cancels what is under way, and ends its worker. */
  cancel(): void {
    this.#abort?.abort(new Error('The comparison was cancelled.'));
    this.#end();
  }

  #end(): void {
    this.#abort = null;
    this.progress = null;
  }
}
