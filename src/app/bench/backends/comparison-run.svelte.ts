import type { ComparisonTask, SidesCompared } from '../../../../workers/backends/client.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import { LatestRun } from '../../kit/runs/latest-run.svelte.ts';
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

interface ComparisonProgress {
  readonly doing: 'frames' | 'runs';
  readonly fraction: number;
}

/** A comparison of two sides on request. A result that comes after another model did is dropped. */
export class ComparisonRun extends LatestRun<ComparisonProgress> {
  readonly #bench: BackendsBench;
  #found = $state.raw<Found | null>(null);

  constructor(bench: BackendsBench) {
    super();
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
    this.#found = null;
    const modelId = this.#modelId ?? '';
    await this.begin({
      first: { doing: 'frames', fraction: 0 },
      run: async (tell, signal) => {
        const { config, cameraName } = this.#bench.plan;
        const steps = { cameraName, config: $state.snapshot(config) as typeof config };
        const sides = { reference: sideTask(this.#bench, reference), other: sideTask(this.#bench, other) };
        const gathered = (count: number): void => tell({ doing: 'frames', fraction: count / most });
        const pictures = await gatherFrames(this.#bench, most, gathered, signal);
        signal.throwIfAborted();
        if (pictures.length === 0) throw new Error('There is no frame on the stage.');
        const task = { ...steps, ...sides, pictures };
        const port = await this.#bench.openBackends();
        const ran = (fraction: number): void => tell({ doing: 'runs', fraction });
        return { task, compared: await port.compareBackends(task, ran, signal) };
      },
      take: (found) => {
        if (this.#modelId === modelId) this.#found = { ...found, reference, other, modelId };
      },
      faultOf: (error) => `The sides could not be compared: ${errorMessage(error)}`,
    });
  }
}
