import type { ChoiceOption, OptionSpec } from '../../structure/options.ts';
import { iouThreshold, maxCandidates, maxDetections, scoreThreshold } from '../../structure/options.ts';

/** What every head of a YOLO that is suppressed in the graph can be set to. */
export function yoloOptions(usual: { readonly iou: number }): readonly OptionSpec[] {
  return [scoreThreshold(0.01), iouThreshold(usual.iou), maxDetections(), maxCandidates];
}

export const boxUnitOption: ChoiceOption = {
  kind: 'choice',
  key: 'boxUnit',
  about: 'Whether the model says boxes in pixels of its input or as shares of it.',
  choices: ['pixels', 'proportional'],
  usual: 'pixels',
};
