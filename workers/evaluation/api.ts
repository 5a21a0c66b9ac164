import { transfer } from 'comlink';
import { cocoMatching, cocoMetrics } from '../../src/evaluation/coco/coco-metrics.ts';
import { matchBoxes } from '../../src/evaluation/match/match-boxes.ts';
import type { BoxesToMatch, MatchedBoxes } from './protocol.ts';

export type EvaluationApi = ReturnType<typeof createEvaluationApi>;

/** Matches detections to truth. */
export function createEvaluationApi() {
  return {
    /** @throws RangeError for an image or label number out of range */
    async match({ space, truth, detections }: BoxesToMatch): Promise<MatchedBoxes> {
      // Truth of which too little is left after a crop is ignored by its field.
      const ignoreRule = 'field';
      const coco = cocoMetrics(matchBoxes(truth, detections, space, { ...cocoMatching, ignoreRule }), space.labels);
      const matches = matchBoxes(truth, detections, space, { ignoreRule, maxDetections: Infinity });
      return transfer(
        { coco, matches },
        matches.flatMap(({ row, image, score, rank, truthRow, outcomes, countedRow, countedImage }) =>
          [row, image, score, rank, truthRow, countedRow, countedImage, ...outcomes].map(({ buffer }) => buffer),
        ),
      );
    },
  };
}
