import { readBoxRows } from '../../../src/models/fit/interpretations/box-rows.ts';
import { judgeBoxes } from '../../../src/models/fit/interpretations/judge-boxes.ts';
import { judgeClasses } from '../../../src/models/fit/interpretations/judge-classes.ts';
import type { Inference } from '../../../src/machine/vision/face/results.ts';
import type { ProbedService } from '../../../src/machine/vision/face/filters.ts';
import type { RunVerdicts } from '../protocol.ts';
import { presentInterpretation } from './find-interpretations.ts';

/** Judges by the model's raw outputs whether a service's results for a frame can be right. */
export function judgeRun(vision: ProbedService, inference: Inference, dropsFirstLabel: boolean): RunVerdicts {
  const { outputs } = inference;
  const { service, abilities } = vision;
  const interpretation = presentInterpretation(vision, dropsFirstLabel);
  const rows = interpretation && readBoxRows(outputs, interpretation, inference);
  const probability = abilities.classifier.names?.tensor;
  const classes = probability === undefined ? undefined : outputs.get(probability);
  return {
    detector: rows && judgeBoxes(rows, (category) => service.labels?.[category] ?? String(category)),
    classifier: classes ? judgeClasses(probability!, classes) : null,
  };
}
