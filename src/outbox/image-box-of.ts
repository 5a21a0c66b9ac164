import type { ImageBox } from '../capture/capture.ts';
import type { BoundingBox } from '../gen/app/data/v1/data_pb.ts';

/** A box as the data service says it; a confidence that is absent is null here. */
export function imageBoxOf(box: Readonly<Omit<BoundingBox, `$${string}`>>): ImageBox {
  const { id, label, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized, confidence = null } = box;
  return { id, label, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized, confidence };
}
