import { serviceThresholds } from '../../vision/filter/thresholds.ts';
import { ruleOf } from './compare/other-side.ts';
import type { ReadyModel } from './ports/raw-model.ts';
import type { BenchThresholds, OtherLabels, TunedThresholds } from './tuned-thresholds.ts';

/** Those of the bench while it has what was run; then those at which the figures were shown last, which nothing moves: the bench's are another model's. */
export class RunThresholds implements TunedThresholds {
  readonly #bench: BenchThresholds;
  readonly #model: () => ReadyModel | null;

  constructor(bench: BenchThresholds, model: () => ReadyModel | null) {
    this.#bench = bench;
    this.#model = model;
  }

  /** null: those of the bench hold */
  readonly #last = $derived.by(() => {
    const model = this.#model();
    return model === null || model.isInForce ? null : ruleOf(model.configText, model.serviceName);
  });

  get isOfBench(): boolean {
    return this.#last === null;
  }

  get perLabel(): boolean {
    return this.#last === null ? this.#bench.perLabel : Object.keys(this.#last.labelConfidences).length > 0;
  }

  get default(): number {
    return this.#last === null ? this.#bench.default : this.#last.defaultMinimumConfidence;
  }

  thresholdOf(label: string): number {
    if (this.#last === null) return this.#bench.thresholdOf(label);
    return Math.max(0, serviceThresholds([label], this.#last)[0]!);
  }

  setDefault(value: number, drag?: boolean): void {
    if (this.isOfBench) this.#bench.setDefault(value, drag);
  }

  setLabel(label: string, value: number, drag?: boolean): void {
    if (this.isOfBench) this.#bench.setLabel(label, value, drag);
  }

  setEach(
    values: Readonly<Record<string, number>>,
    others?: OtherLabels,
    evidence?: Parameters<BenchThresholds['setEach']>[2],
  ): void {
    if (this.isOfBench) this.#bench.setEach(values, others, evidence);
  }

  get evidence(): BenchThresholds['evidence'] {
    return this.#bench.evidence;
  }

  get present(): BenchThresholds['present'] {
    return this.#bench.present;
  }

  settle(): void {
    this.#bench.settle();
  }
}
