import type { FrameResult } from '../../../../workers/vision/protocol.ts';

/** More plans than can be applied while one frame is running. */
const MOST_PLANS_UNDER_WAY = 8;

/** Says which plan made a result: the one in force when the frame was given to the worker. */
export class PlanOfResult {
  #givenAtMs = -Infinity;
  /** for recent plans, since when frames run under them, and their results' key; the plan in force last */
  #plans: readonly { readonly givenAtMs: number; readonly resultsKey: string }[] = [];
  readonly #resultsKeys = new WeakMap<FrameResult, string>();

  /** A plan is given to the worker now. */
  give(): void {
    this.#givenAtMs = performance.now();
  }

  /** The plan that was given last has other results than the one before. */
  enter(resultsKey: string): void {
    this.#plans = [...this.#plans.slice(-MOST_PLANS_UNDER_WAY), { givenAtMs: this.#givenAtMs, resultsKey }];
  }

  /** Remembers the plan of a result. Returns whether that is the plan in force. */
  note(result: FrameResult): boolean {
    const givenAtMs = result.givenAtMs ?? Infinity;
    const plan = this.#plans.findLast((from) => from.givenAtMs <= givenAtMs);
    if (plan) this.#resultsKeys.set(result, plan.resultsKey);
    return plan === this.#plans.at(-1);
  }

  /** The `resultsKey` of the plan that made a result; undefined: unknown. */
  keyOf(result: FrameResult): string | undefined {
    return this.#resultsKeys.get(result);
  }
}
