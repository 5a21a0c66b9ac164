import type { Detection } from '../results/detections.ts';
import { TransformError } from '../transforms/transform-error.ts';
import type { FrameSize } from '../frame/frame.ts';
import { textSizePx, type DisplayList } from './display-list.ts';
import { formatScore } from './format-score.ts';

/**
 * A box and `label: 0.00` for each detection. A box of zero area fits everywhere.
 * @throws TransformError box-outside-frame: the machine then gives no frame at all
 */
export function detectionOverlay(detections: readonly Detection[], { widthPx, heightPx }: FrameSize): DisplayList {
  return detections.flatMap(({ label, score, xMin, yMin, xMax, yMax }) => {
    const isEmpty = xMin >= xMax || yMin >= yMax;
    const isInside = xMin >= 0 && yMin >= 0 && xMax <= widthPx && yMax <= heightPx;
    if (!isEmpty && !isInside) {
      throw new TransformError(
        'box-outside-frame',
        `Box of "${label}" (x ${xMin}–${xMax}, y ${yMin}–${yMax}) does not fit in the ${widthPx}×${heightPx} frame.`,
      );
    }
    return [
      { kind: 'box', xMin, yMin, xMax, yMax } as const,
      { kind: 'text', text: `${label}: ${formatScore(score)}`, leftPx: xMin, baselinePx: yMin + textSizePx } as const,
    ];
  });
}
