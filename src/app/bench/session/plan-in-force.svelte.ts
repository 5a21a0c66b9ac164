import type { BenchPlan, PlanReport } from '../../../../workers/vision/protocol.ts';
import { runKey } from '../../../config/run-key.ts';

/** What a plan is put in force with. */
export interface PlanWorker {
  /** Gives the plan to the worker. */
  set(plan: BenchPlan): Promise<PlanReport>;
  /** Runs the frame on the stage once more. Resolves to false when that failed. */
  rerun(): Promise<boolean>;
  /** Runs what is part of setting a plan, and tells of its failure. Resolves to false then. */
  working(work: () => Promise<void>): Promise<boolean>;
  /** A model is about to run that did not run before. */
  onNewModel(): void;
  /** From the next frame on results are others: those of a text that is the same where results are. */
  onNewResults(results: string): void;
}

/** As `keysOf`: of no plan. */
const unknown = { results: '', picture: '' };

/** The plan that the worker runs: of several that are wanted while one is being set, the last. */
export class PlanInForce {
  readonly #worker: PlanWorker;
  #report = $state.raw<PlanReport | null>(null);
  #applied = $state.raw<BenchPlan | null>(null);
  #wanted: BenchPlan | null = null;
  #applying: Promise<void> | null = null;
  #keys = unknown;
  #inForce: BenchPlan | null = null;

  constructor(worker: PlanWorker) {
    this.#worker = worker;
  }

  /** What the worker said of the plan that was set last. */
  get report(): PlanReport | null {
    return this.#report;
  }

  /** The plan under which the frame on the stage was last run again. */
  get applied(): BenchPlan | null {
    return this.#applied;
  }

  /** The plan that frames run under which the worker is given now; the frame on the stage may be of the one before. */
  get inForce(): BenchPlan | null {
    return this.#inForce;
  }

  /** Resolves once the plan that is wanted is in force; null = it is. */
  get applying(): Promise<void> | null {
    return this.#applying;
  }

  /** Puts a plan in force and runs the frame on the stage again. A plan that changes nothing costs nothing. */
  apply(plan: BenchPlan): Promise<void> {
    this.#wanted = plan;
    this.#applying ??= this.#applyWanted().finally(() => (this.#applying = null));
    return this.#applying;
  }

  async #applyWanted(): Promise<void> {
    /** set, and the frame on the stage was not run under it */
    let isDue = false;
    while (this.#wanted) {
      const plan = this.#wanted;
      this.#wanted = null;
      const keys = keysOf(plan);
      const isInForce = keys.results === this.#keys.results && keys.picture === this.#keys.picture;
      if (isInForce && !isDue) continue;
      if (bringsModel(plan, this.#applied)) this.#worker.onNewModel();
      const set = async (): Promise<void> => {
        const before = this.#keys;
        this.#keys = unknown; // one that fails may be in force all the same: a worker that dies at it comes back with it
        this.#report = await this.#worker.set(plan);
        this.#keys = keys;
        this.#inForce = plan;
        if (keys.results !== before.results) this.#worker.onNewResults(keys.results);
      };
      isDue = isInForce || (await this.#worker.working(set));
      if (!isDue || this.#wanted) continue; // a later one, perhaps just such a one, is run next
      isDue = false;
      if (await this.#worker.rerun()) this.#applied = plan;
    }
  }
}

/**
 * Texts that differ where results and where the picture must come anew. A list of labels that leaves out the first one is
 * judged otherwise, for which the frame runs again; the scores seen so far stay, as they are the same.
 */
function keysOf({ config, visionName, cameraName, models, shownStage, undistortPreview, thumbnails }: BenchPlan) {
  return {
    results: resultsKey({ config, visionName, cameraName, models }),
    picture: JSON.stringify([shownStage, undistortPreview, thumbnails, models]),
  };
}

/** A text that differs where results do. */
export const resultsKey = ({
  config,
  visionName,
  cameraName,
  models,
}: Pick<BenchPlan, 'config' | 'visionName' | 'cameraName' | 'models'>): string =>
  runKey(config, visionName, cameraName, withoutJudging(models));

const withoutJudging = (models: BenchPlan['models']): unknown =>
  Object.entries(models).map(([service, { modelId, labels }]) => [service, modelId, labels]);

/** Whether a model is to run that did not run before; one that is gone is none. */
function bringsModel(plan: BenchPlan, before: BenchPlan | null): boolean {
  const known = new Set(Object.values(before?.models ?? {}).map(({ modelId }) => modelId));
  return Object.values(plan.models).some(({ modelId }) => !known.has(modelId));
}
