import type { FilteredResult } from '../../../evidence/capture/filtered-result.ts';
import type { ServiceFilterRule } from '../../../machine/vision/face/filters.ts';

/** The model and configuration of a result, and the filter through which it is shown. */
export interface MadeWith {
  readonly filter: ServiceFilterRule;
  readonly setup: FilteredResult['setup'];
}

/** A result on the stage is from the plan in force or from one shortly before it. */
const MOST_PLANS = 8;

/**
 * The models and configurations of recent plans. While a new model is being loaded, the result on the stage is
 * still from the one before: a capture of it must record the model and the configuration that gave it.
 */
export class MadeWithByPlan {
  /** by the plan's `resultsKey`, the latest last */
  readonly #byPlan = new Map<string, MadeWith>();

  note(resultsKey: string, made: MadeWith): void {
    this.#byPlan.delete(resultsKey);
    this.#byPlan.set(resultsKey, made);
    const [oldest] = this.#byPlan.keys();
    if (this.#byPlan.size > MOST_PLANS) this.#byPlan.delete(oldest!);
  }

  of(resultsKey: string | undefined): MadeWith | null {
    return this.#byPlan.get(resultsKey ?? '') ?? null;
  }
}
