import type { DatasetBox } from '../../../../../evidence/datasets/face/items.ts';

/** Formats round corners to fractions of a pixel; a thousandth of the picture is half a pixel of a small one. */
const tolerance = 1e-3;

type LabelledCorners = Omit<DatasetBox, 'id' | 'confidence' | 'track'>;

/** Whether two boxes are equal apart from rounding. */
export function isSameBox(a: LabelledCorners, b: LabelledCorners): boolean {
  return (
    a.label === b.label &&
    Math.abs(a.xMinNormalized - b.xMinNormalized) <= tolerance &&
    Math.abs(a.yMinNormalized - b.yMinNormalized) <= tolerance &&
    Math.abs(a.xMaxNormalized - b.xMaxNormalized) <= tolerance &&
    Math.abs(a.yMaxNormalized - b.yMaxNormalized) <= tolerance
  );
}
