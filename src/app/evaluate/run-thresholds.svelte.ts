import { serviceThresholds } from '../../machine/vision/face/filters.ts';
import { ruleOf } from './comparison/other-side.ts';
import type { ReadyModel } from './ports/raw-model.ts';
import type { BenchThresholds, OtherLabels, TunedThresholds } from './goal/tuned-thresholds.ts';

/** The thresholds at which an evaluation is shown: those of the bench while it still has the model and setup that were run, otherwise those of the run, which nothing moves. */
export class RunThresholds implements TunedThresholds {
  readonly #bench: BenchThresholds;
  readonly #model: () => ReadyModel | null;

  constructor(bench: BenchThresholds, model: () => ReadyModel | null) {
    this.#bench = bench;
    this.#model = model;
  }

  /** the thresholds of the run; null: those of the bench are in force */
  readonly #ofRun = $derived.by(() => {
    const model = this.#model();
    return model === null || model.isInForce ? null : ruleOf(model.configText, model.serviceName);
  });

  get isOfBench(): boolean {
    return this.#ofRun === null;
  }

  get perLabel(): boolean {
    return this.#ofRun === null ? this.#bench.perLabel : Object.keys(this.#ofRun.labelConfidences).length > 0;
  }

  get default(): number {
    return this.#ofRun === null ? this.#bench.default : this.#ofRun.defaultMinimumConfidence;
  }

  thresholdOf(label: string): number {
    if (this.#ofRun === null) return this.#bench.thresholdOf(label);
    return Math.max(0, serviceThresholds([label], this.#ofRun)[0]!);
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
