import type { Classification } from '../results/detections.ts';
import { textSizePx, type TextItem } from './display-list.ts';
import { formatScore } from './format-score.ts';

/** The label of Viam's trained models for everything that they were not trained on. */
const unknownLabel = 'VIAM_UNKNOWN';

/** `label: 0.00` for each classification, one line below the other; the unknown label takes no line. */
export function classificationOverlay(classifications: readonly Classification[]): TextItem[] {
  return classifications
    .filter(({ label }) => label !== unknownLabel)
    .map(({ label, score }, line) => ({
      kind: 'text',
      text: `${label}: ${formatScore(score)}`,
      leftPx: 30,
      baselinePx: 60 + line * textSizePx,
    }));
}
