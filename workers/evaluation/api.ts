import { makeReport, reportText } from '../../src/evidence/evaluation/face/report.ts';
import {
  confusionMatrix,
  errorsByKind,
  measureBoxes,
  settleBoxes,
  summarize,
} from '../../src/evidence/evaluation/face/sweep.ts';
import { SharedLists } from '../../src/evidence/evaluation/face/sets.ts';
import { createCompareApi } from './compare-api.ts';
import { gatherBoxes } from './gather.ts';
import { packErrors } from './pack-errors.ts';
import type { CountedBoxes, ImageToCount, ReportOrder, ToldErrors } from './protocol.ts';

export type EvaluationApi = ReturnType<typeof createEvaluationApi>;

/** Truth of which too little is left after a crop is ignored by its field. */
const ignoreRule = 'field';

/** Counts what one run finds. It gets the images one by one and keeps what it was told until the next run begins. */
export function createEvaluationApi() {
  let order: readonly string[] | null = null;
  const images = new Map<string, ImageToCount>();
  const labels = new SharedLists();
  let counted: { readonly serial: number; readonly boxes: CountedBoxes } | null = null;

  return {
    ...createCompareApi(),

    /** Forgets the run before. Images are numbered in the order of these ids: ties between scores hang on it. */
    async begin(ids: readonly string[]): Promise<void> {
      order = ids;
      images.clear();
      counted = null;
    },

    /** @throws Error when no run has begun, as after the worker died and was started again */
    async add(some: readonly ImageToCount[]): Promise<void> {
      if (!order) throw new Error('No run has begun.');
      for (const image of some) {
        images.set(image.id, { ...image, raw: { ...image.raw, labels: labels.shared(image.raw.labels) } });
      }
    },

    /**
     * Matches all images that were added so far.
     * @param serial by which later calls name what was counted
     * @throws RangeError for an image or label number out of range
     */
    async count(serial: number): Promise<CountedBoxes> {
      if (!order) throw new Error('No run has begun.');
      const ids = order.filter((id) => images.has(id));
      const boxes = gatherBoxes(ids.map((id) => images.get(id)!));
      const { truth, detections, space } = boxes;
      counted = { serial, boxes: { ids, boxes, ...measureBoxes(truth, detections, space, ignoreRule) } };
      return counted.boxes;
    },

    /**
     * Tells errors apart at thresholds, by label number.
     * @returns null: what was counted under this number is gone
     */
    async tellErrors(serial: number, thresholds: Float64Array): Promise<ToldErrors | null> {
      if (counted?.serial !== serial) return null;
      const { boxes, matches } = counted.boxes;
      const { truth, detections, space } = boxes;
      return {
        errors: errorsByKind(truth, detections, space, matches, thresholds),
        confusion: confusionMatrix(truth, detections, space, settleBoxes(matches, truth, thresholds)),
      };
    },

    /** @returns the text of the report's file; null: what was counted under this number is gone */
    async report(serial: number, { subject, thresholds, goal, units, format }: ReportOrder): Promise<string | null> {
      if (counted?.serial !== serial) return null;
      const { boxes, ...measured } = counted.boxes;
      const figures = summarize(measured, boxes.detections, boxes.space, thresholds);
      return reportText(makeReport(subject, boxes, figures, thresholds, goal, units), format);
    },
  };
}

export type PackedAnswers = ReturnType<typeof packedAnswers>;

/** The same as it crosses to the page: errors as columns. */
export const packedAnswers = (api: EvaluationApi) => ({
  ...api,
  async tellErrors(...asked: Parameters<EvaluationApi['tellErrors']>) {
    const told = await api.tellErrors(...asked);
    return told && { ...told, errors: { ...told.errors, errors: packErrors(told.errors.errors) } };
  },
});
