import type { ImageBox } from '../../evidence/capture/capture.ts';
import type { BoundingBox } from '../../gen/app/data/v1/data_pb.ts';

/** Converts a box of the data service; an absent confidence is null here. */
export function imageBoxOf(box: Readonly<Omit<BoundingBox, `$${string}`>>): ImageBox {
  const { id, label, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized, confidence = null } = box;
  return { id, label, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized, confidence };
}
