import { boxOrderWords, sixBoxOrders } from '../../../models/fit/interpretations/interpretation.ts';
import { machineBoxOrder } from '../../../machine/vision/face/results.ts';
import type { Tensor } from '../../../machine/vision/face/feeding.ts';
import { changed, type AttributeCause } from './service-cause.ts';
import type { TriedService } from './try-services.ts';

/** Services that read the four numbers of a box in another order. */
export function boxOrderCauses(present: TriedService): readonly AttributeCause[] {
  const now = boxOrderWords(present.config.boxOrder ?? machineBoxOrder);
  return sixBoxOrders.filter((order) => boxOrderWords(order) !== now).map((boxOrder) => changed(present, { boxOrder }));
}

/** More tensors than a detector has are tried in no order. */
const mostOutputs = 6;

/** Services that take other tensors for boxes, classes and scores, or go by their names and shapes. */
export function tensorNameCauses(
  present: TriedService,
  outputs: Readonly<Record<string, Tensor>>,
): readonly AttributeCause[] {
  const names = Object.keys(outputs);
  if (names.length > mostOutputs) return [];
  const remaps: Readonly<Record<string, string>>[] = [{}];
  for (const name of names) remaps.push({ [name]: 'probability' });
  for (const location of names.filter((name) => outputs[name]!.shape.at(-1) === 4)) {
    for (const score of names.filter((name) => name !== location)) {
      const categories = names.filter((name) => name !== location && name !== score);
      remaps.push({ [location]: 'location', [score]: 'score' });
      for (const category of categories)
        remaps.push({ [location]: 'location', [category]: 'category', [score]: 'score' });
    }
  }
  return remaps
    .filter((remap) => JSON.stringify(remap) !== JSON.stringify(present.config.remapOutputNames))
    .map((remapOutputNames) => changed(present, { remapOutputNames }));
}
