import {
  type ComparedAt,
  compareReportText,
  compareRuns,
  matchThresholds,
  type MeasuredPair,
  measureRuns,
} from '../../src/evidence/evaluation/face/comparison.ts';
import { gatherBoxes } from './gather.ts';
import { LabelNames } from '../../src/evidence/evaluation/face/sets.ts';
import type { ComparedRuns, PairReportOrder, PairToMeasure } from './protocol.ts';

/** Compares two runs on the same images. It keeps the pair that was measured last. */
export function createCompareApi() {
  let last: { readonly serial: number; readonly measured: MeasuredPair } | null = null;
  const of = (serial: number): MeasuredPair | null => (last?.serial === serial ? last.measured : null);

  return {
    /**
     * Matches two runs to their truth: the costly part, once for all thresholds.
     * @param serial by which later calls name the pair
     * @returns the labels of both runs and of the truth, in their order
     */
    async measurePair(serial: number, { truth, first, second, units }: PairToMeasure): Promise<readonly string[]> {
      last = null;
      const labels = new LabelNames();
      const gather = (raws: PairToMeasure['first']) =>
        gatherBoxes(
          truth.map((image, at) => ({ ...image, raw: raws[at]! })),
          labels,
        );
      const [one, other] = [gather(first), gather(second)];
      // Truth of which too little is left after a crop is ignored by its field.
      const measured = measureRuns({ space: other.space, first: one, second: other, units, ignoreRule: 'field' });
      last = { serial, measured };
      return other.space.labels;
    },

    /** @returns null: the pair of this number is gone, as after the worker died and was started again */
    async comparePair(serial: number, at: ComparedAt): Promise<ComparedRuns | null> {
      const measured = of(serial);
      if (!measured) return null;
      const { first, second, space } = measured.pair;
      const { firstThresholds, secondThresholds } = at;
      if (measured.strangers) return { ...compareRuns(measured, at), matched: [] };
      const matched = matchThresholds(first.detections, firstThresholds, second.detections, secondThresholds, space);
      const { renamed } = measured;
      const isLeftOut = new Set([...renamed.first, ...renamed.second]);
      return { ...compareRuns(measured, at), matched: matched.filter(({ label }) => !isLeftOut.has(label)) };
    },

    /** @returns the text of the report's file; null: the pair of this number is gone */
    async reportPair(serial: number, at: ComparedAt, { format, ...told }: PairReportOrder): Promise<string | null> {
      const measured = of(serial);
      if (!measured) return null;
      const comparison = compareRuns(measured, at);
      const { movedMoreThanPx } = at;
      return compareReportText({ ...told, pair: measured.pair, comparison, movedMoreThanPx }, format);
    },
  };
}
