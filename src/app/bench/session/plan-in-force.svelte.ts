import type { BenchPlan, PlanReport } from '../../../../workers/vision/protocol.ts';
import { camerasBehind, runKey, servicesBehind } from '../../../machine/config/face/machine-config.ts';
import { singleFlight } from '../../../base/schedule/single-flight.ts';

/** What applying a plan needs of the worker. */
export interface PlanWorker {
  /** Gives the plan to the worker. */
  set(plan: BenchPlan): Promise<PlanReport>;
  /** Runs the frame on the stage again. Resolves to false if that failed. */
  rerun(): Promise<boolean>;
  /** Runs work that belongs to a plan, and reports its failure. Resolves to false then. */
  working(work: () => Promise<void>): Promise<boolean>;
  /** A model is about to run that did not run before. */
  onNewModel(): void;
  /** Results change from the next frame on; `results` is equal for plans with the same results. */
  onNewResults(results: string): void;
}

/** The keys of no plan. */
const unknown = { results: '', picture: '' };

/** Applies plans to the worker: of several that arrive while one is being applied, only the last. */
export class PlanInForce {
  readonly #worker: PlanWorker;
  /** The worker's report on the plan that was applied last. */
  report = $state.raw<PlanReport | null>(null);
  /** The plan under which the frame on the stage was run last. */
  applied = $state.raw<BenchPlan | null>(null);
  #wanted: BenchPlan | null = null;
  readonly #apply = singleFlight(() => this.#applyWanted());
  #keys = unknown;
  #inForce: BenchPlan | null = null;

  constructor(worker: PlanWorker) {
    this.#worker = worker;
  }

  /** The plan for the next frames; the frame on the stage may be from the plan before. */
  get inForce(): BenchPlan | null {
    return this.#inForce;
  }

  /** Resolves once the wanted plan is in force; null: it is. */
  get applying(): Promise<void> | null {
    return this.#apply.running;
  }

  /** Applies a plan and runs the frame on the stage again. A plan without changes costs nothing. */
  apply(plan: BenchPlan): Promise<void> {
    this.#wanted = plan;
    return this.#apply();
  }

  async #applyWanted(): Promise<void> {
    /** the plan is set, but the frame on the stage was not run under it yet */
    let isDue = false;
    while (this.#wanted) {
      const plan = this.#wanted;
      this.#wanted = null;
      const keys = keysOf(plan);
      const isInForce = keys.results === this.#keys.results && keys.picture === this.#keys.picture;
      if (isInForce && !isDue) continue;
      if (bringsModel(plan, this.applied)) this.#worker.onNewModel();
      const set = async (): Promise<void> => {
        const before = this.#keys;
        this.#keys = unknown; // one that fails may be in force all the same: a worker that dies at it comes back with it
        this.report = await this.#worker.set(plan);
        this.#keys = keys;
        this.#inForce = plan;
        if (keys.results !== before.results) this.#worker.onNewResults(keys.results);
      };
      isDue = isInForce || (await this.#worker.working(set));
      if (!isDue || this.#wanted) continue; // a later one, perhaps just such a one, is run next
      isDue = false;
      if (await this.#worker.rerun()) this.applied = plan;
    }
  }
}

/**
 * Two keys that differ if the results or the picture change. A list of labels without the first one is judged
 * differently, a service beside the tuned one adds boxes of its own, and the worker is told of every service, so the frame runs again;
 * the scores seen so far stay valid.
 */
function keysOf({ config, visionName, cameraName, models, beside = null, ...plan }: BenchPlan) {
  return {
    results: resultsKey({ config, visionName, cameraName, models }),
    picture: JSON.stringify([
      plan.shownStage,
      plan.undistortPreview,
      plan.thumbnails,
      plan.details,
      models,
      beside,
      runKey(config),
    ]),
  };
}

/** A text that differs if the results differ. Other cameras and vision services, a recorder for one, may come and go. */
export function resultsKey({
  config,
  visionName,
  cameraName,
  models,
}: Pick<BenchPlan, 'config' | 'visionName' | 'cameraName' | 'models'>): string {
  const cameras = camerasBehind(config, cameraName);
  const services = servicesBehind({ ...config, cameras }, visionName);
  const visionServices = config.visionServices.filter(({ name }) => services.has(name));
  const ofServices = Object.entries(models).filter(([service]) => services.has(service));
  return runKey({ cameras, visionServices }, visionName, cameraName, withoutJudging(ofServices));
}

const withoutJudging = (models: readonly (readonly [string, BenchPlan['models'][string]])[]): unknown =>
  models.map(([service, { modelId, labels }]) => [service, modelId, labels]);

/** Whether a model will run that did not run before; removing one does not count. */
function bringsModel(plan: BenchPlan, before: BenchPlan | null): boolean {
  const known = new Set(Object.values(before?.models ?? {}).map(({ modelId }) => modelId));
  return Object.values(plan.models).some(({ modelId }) => !known.has(modelId));
}
