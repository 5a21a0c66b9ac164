import type { Ends } from '../structure/family.ts';
import { fixedRows } from './fixed-rows.ts';
import { bestPassing, passingRows } from './passing-rows.ts';
import { suppress, suppressEveryClass } from './suppress.ts';

/** Candidates and suppression by ONNX's own operators. */
export const onnxEnds: Ends = {
  passingRows,
  bestOf: bestPassing,
  suppress: (head, candidates, classCount) => fixedRows(head, suppress(head, candidates, classCount)),
  suppressEveryClass: (head, ...candidates) => fixedRows(head, suppressEveryClass(head, ...candidates)),
};
