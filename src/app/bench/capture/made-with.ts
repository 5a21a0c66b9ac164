import type { FilteredResult } from '../../../capture/filtered-result.ts';
import type { ServiceFilterRule } from '../../../vision/filter/thresholds.ts';

/** What made a result, and the filter that it is seen through. */
export interface MadeWith {
  readonly filter: ServiceFilterRule;
  readonly setup: FilteredResult['setup'];
}

/** A result on the stage is of the plan in force or of one shortly before it. */
const MOST_PLANS = 8;

/**
 * Models and configurations of the plans that ran last. While a new model loads, the result on the stage is still of the one before:
 * what is kept then bears the model and the configuration that made it.
 */
export class MadeWithByPlan {
  /** by the plan's `resultsKey`, the one noted last at the end */
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
