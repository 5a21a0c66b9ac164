import type { CorrectionOrder, CorrectionTurn } from '../../areas/correction-order.ts';
import type { EvaluatedImage } from '../run/evaluated-image.ts';

/** The turn of an image that is there. */
export interface PresentTurn extends CorrectionTurn {
  /** number of the image in the run */
  readonly number: number;
  readonly isCorrected: boolean;
}

/** The turns of an order, without those of images that were deleted. */
export function turnsOf(order: CorrectionOrder | null, images: readonly EvaluatedImage[]): readonly PresentTurn[] {
  if (!order) return [];
  const numberOf = new Map(images.map(({ image }, number) => [image.id, number]));
  const corrected = new Set(order.corrected);
  return order.turns.flatMap((turn) => {
    const number = numberOf.get(turn.id);
    return number === undefined ? [] : [{ ...turn, number, isCorrected: corrected.has(turn.id) }];
  });
}
