import type { Tensor, TensorDtype } from '../../../machine/vision/face/feeding.ts';
import { feedingCauses } from './feeding-causes.ts';
import { boxOrderCauses, tensorNameCauses } from './output-causes.ts';
import { changed, type AttributeCause } from './service-cause.ts';
import type { TriedService } from './try-services.ts';

/** Services that differ in one attribute, by its kind; mean and deviation count as one. */
export interface AttributeCauses {
  readonly orders: readonly AttributeCause[];
  readonly remaps: readonly AttributeCause[];
  readonly feedings: readonly AttributeCause[];
}

export const attributeCauses = (
  present: TriedService,
  dtype: TensorDtype,
  outputs: Readonly<Record<string, Tensor>>,
): AttributeCauses => ({
  orders: boxOrderCauses(present),
  remaps: tensorNameCauses(present, outputs),
  feedings: feedingCauses(present, dtype),
});

/** Services that differ in two of these attributes. */
export function pairsOf(
  present: TriedService,
  { orders, remaps, feedings }: AttributeCauses,
): readonly AttributeCause[] {
  const both = (some: readonly AttributeCause[], others: readonly AttributeCause[]) =>
    some.flatMap((one) => others.map((other) => changed(present, { ...one.changes, ...other.changes })));
  return [...both(orders, feedings), ...both(remaps, feedings), ...both(orders, remaps), ...colours(present, feedings)];
}

/** Each other mean and deviation, with red and blue exchanged. */
const colours = (present: TriedService, feedings: readonly AttributeCause[]): readonly AttributeCause[] =>
  feedings
    .filter(({ changes }) => changes.bgr === undefined)
    .map(({ changes }) => changed(present, { ...changes, bgr: !present.config.bgr }));
