import type { BoxOrder } from '../../vision/decode/box-order.ts';
import type { DetectionInterpretation } from './interpretation.ts';

/** How the machine reads these tensors of a detector now. `dropsFirstLabel`: the service shows nothing of its first label. */
export function presentDetections(
  { location, category, score }: Pick<DetectionInterpretation, 'location' | 'category' | 'score'>,
  { boxOrder, dropsFirstLabel }: { readonly boxOrder: BoxOrder; readonly dropsFirstLabel: boolean },
): DetectionInterpretation {
  return {
    kind: 'detections',
    location,
    category,
    score,
    boxOrder,
    boxForm: 'two corners',
    space: 'machine',
    activation: 'none',
    classBase: dropsFirstLabel && category === null ? 'background-first' : 0,
  };
}
