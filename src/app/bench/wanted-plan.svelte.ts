import type { BenchPlan } from '../../../workers/vision/protocol.ts';
import { cameraChain, type ChainStep } from '../../machine/vision/face/cameras.ts';
import { MachineError } from '../../machine/vision/face/errors.ts';
import type { SecondState } from './comparison/second-state.svelte.ts';
import type { ConfigState } from './config/config-state.svelte.ts';
import { dropsFirstLabel } from './models/drops-first-label.ts';
import type { LabelsState } from './models/labels-state.svelte.ts';
import type { ModelsState } from './models/models-state.svelte.ts';
import type { MachineCameraState } from './sources/machine-camera-state.svelte.ts';
import type { SourcesState } from './sources/sources-state.svelte.ts';
import type { ViewState } from './view/view-state.svelte.ts';

/** What decides about the plan. */
interface PlanParts {
  readonly config: ConfigState;
  readonly models: ModelsState;
  readonly labels: LabelsState;
  readonly sources: SourcesState;
  readonly machineCamera: MachineCameraState;
  readonly second: SecondState;
  readonly view: ViewState;
}

/** What the worker is to run, by the configuration, the loaded models, the source and the view. */
export class WantedPlan {
  readonly #bench: PlanParts;

  constructor(bench: PlanParts) {
    this.#bench = bench;
  }

  /** The steps of all transform cameras between the source and the tuned service; none if the chain is broken. */
  readonly steps: readonly ChainStep[] = $derived.by(() => {
    const { cameraName } = this.#bench.config;
    if (cameraName === null) return [];
    try {
      return cameraChain(this.#bench.config.config.cameras, cameraName).steps;
    } catch (error) {
      if (error instanceof MachineError) return []; // The worker reports the same error as a problem of the plan.
      throw error;
    }
  });

  /**
   * The services whose list of labels leaves out the first label. Stored as JSON text, which stays equal while a
   * threshold moves, so that the plan does not change.
   */
  readonly #dropsFirstLabel: string = $derived.by(() =>
    JSON.stringify(
      this.#bench.config.config.visionServices
        .filter(({ name, labelConfidences }) =>
          dropsFirstLabel(labelConfidences, this.#bench.labels.byService[name] ?? null),
        )
        .map(({ name }) => name),
    ),
  );

  readonly #assignments: BenchPlan['models'] = $derived.by(() => {
    const labels = this.#bench.labels.byService;
    const dropping = JSON.parse(this.#dropsFirstLabel) as readonly string[];
    return Object.fromEntries(
      Object.entries(this.#bench.models.assigned).map(([service, modelId]) => [
        service,
        { modelId, labels: labels[service] ?? null, dropsFirstLabel: dropping.includes(service) },
      ]),
    );
  });

  /** Whether steps run here on frames of a live machine whose own service sees the frames without them. */
  readonly runsStepsOnMachine: boolean = $derived.by(() => {
    const { kind, machine } = this.#bench.sources;
    if (kind !== 'machine' || this.steps.every(({ step }) => step.type === '')) return false;
    const { cameras } = this.#bench.config.config;
    return !cameras.some((camera) => camera.kind === 'transform' && camera.name === machine.cameraName);
  });

  /**
   * The camera whose steps are applied here; null: frames are used as they come, also from a machine that has run
   * the steps already.
   */
  readonly #cameraInForce: string | null = $derived.by(() =>
    this.#bench.sources.kind === 'machine' && !this.runsStepsOnMachine ? null : this.#bench.config.cameraName,
  );

  /** What the worker runs; it does not change with thresholds. */
  readonly plan: BenchPlan = $derived.by(() => {
    const { config, machineCamera, models, second, view } = this.#bench;
    return {
      config: machineCamera.applyTo(config.runConfig),
      visionName: config.visionName,
      cameraName: this.#cameraInForce,
      models: this.#assignments,
      beside: second.beside,
      undistortPreview: view.undistortPreview,
      shownStage: view.shownStage,
      thumbnails: view.thumbnails,
      details: view.details && models.detailKindOf(config.visionName) !== null,
    };
  });
}
