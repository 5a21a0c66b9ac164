import type { BoundingBox } from '../../gen/app/data/v1/data_pb.ts';
import type { BoxValue } from './annotated-box.ts';
import type { SavedBox } from './box-operations.ts';

/** A box as the service and captures name its fields; confidence absent or null = a person drew or corrected it. */
type WireBox = Omit<BoundingBox, `$${string}` | 'confidence'> & { readonly confidence?: number | null | undefined };

export function savedBox(box: Readonly<WireBox>): SavedBox {
  return {
    id: box.id,
    label: box.label,
    xMin: box.xMinNormalized,
    yMin: box.yMinNormalized,
    xMax: box.xMaxNormalized,
    yMax: box.yMaxNormalized,
    confidence: box.confidence ?? null,
  };
}

export const cornersOf = ({ xMin, yMin, xMax, yMax }: BoxValue) => ({
  xMinNormalized: xMin,
  yMinNormalized: yMin,
  xMaxNormalized: xMax,
  yMaxNormalized: yMax,
});
