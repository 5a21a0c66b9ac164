import { transfer } from 'comlink';
import { makeReport, reportText } from '../../src/evaluation/report/evaluation-report.ts';
import { measureBoxes, summarize, type MeasuredBoxes } from '../../src/evaluation/report/summarize.ts';
import type { BoxesToMatch, ReportOrder } from './protocol.ts';

export type EvaluationApi = ReturnType<typeof createEvaluationApi>;

/** Truth of which too little is left after a crop is ignored by its field. */
const ignoreRule = 'field';

/** Matches detections to truth. */
export function createEvaluationApi() {
  return {
    /** @throws RangeError for an image or label number out of range */
    async match({ space, truth, detections }: BoxesToMatch): Promise<MeasuredBoxes> {
      const measured = measureBoxes(truth, detections, space, ignoreRule);
      return transfer(
        measured,
        measured.matches.flatMap(({ row, image, score, rank, truthRow, outcomes, countedRow, countedImage }) =>
          [row, image, score, rank, truthRow, countedRow, countedImage, ...outcomes].map(({ buffer }) => buffer),
        ),
      );
    },
    /** @returns the text of the report's file */
    async report({ subject, thresholds, goal, units, format, ...boxes }: ReportOrder): Promise<string> {
      const { space, truth, detections } = boxes;
      const figures = summarize(measureBoxes(truth, detections, space, ignoreRule), detections, space, thresholds);
      return reportText(makeReport(subject, boxes, figures, thresholds, goal, units), format);
    },
  };
}
