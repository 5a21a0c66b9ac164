import type { LabelledBox } from '../../../capture/capture.ts';
import {
  cornersOf,
  isComputed,
  samePlace,
  sameValue,
  valueOf,
  type AnnotatedBox,
  type KeptImageBox,
  type TrackedBox,
} from './annotated-box.ts';

/** What is known of the service: which of its boxes belongs to which of the editor's. */
export interface KeptBox {
  readonly key: string;
  readonly saved: KeptImageBox;
}

/** One step from what the service keeps to what the editor shows. */
export type BoxOperation =
  | { readonly kind: 'add'; readonly key: string; readonly box: TrackedBox }
  | { readonly kind: 'update'; readonly key: string; readonly id: string; readonly box: TrackedBox }
  /** A partial update cannot take a confidence away: the box is added anew, then the old one removed. */
  | { readonly kind: 'replace'; readonly key: string; readonly id: string; readonly box: TrackedBox }
  | { readonly kind: 'remove'; readonly key: string; readonly id: string };

/** What has to be done so that the service keeps `boxes`. Predictions are left out, boxes between key frames, and boxes that have no label yet. */
export function operationsBetween(kept: readonly KeptBox[], boxes: readonly AnnotatedBox[]): readonly BoxOperation[] {
  const savedOf = new Map(kept.map(({ key, saved }) => [key, saved]));
  const toKeep = boxes.filter((box) => !box.predicted && !isComputed(box));
  const edits = toKeep
    .filter(({ label }) => label !== '')
    .flatMap((box): BoxOperation[] => {
      const saved = savedOf.get(box.key);
      if (!saved) return [{ kind: 'add', key: box.key, box: valueOf(box) }];
      if (sameValue(saved, box)) return [];
      const kind = saved.confidence !== null && box.confidence === null ? 'replace' : 'update';
      return [{ kind, key: box.key, id: saved.id, box: valueOf(box) }];
    });
  const present = new Set(toKeep.map(({ key }) => key));
  const removals = kept
    .filter(({ key }) => !present.has(key))
    .map(({ key, saved }): BoxOperation => ({ kind: 'remove', key, id: saved.id }));
  return [...edits, ...removals];
}

/** What the service keeps after an operation; `id` is what it called the box. */
export function afterOperation(kept: readonly KeptBox[], operation: BoxOperation, id: string): readonly KeptBox[] {
  const others = kept.filter(({ key }) => key !== operation.key);
  if (operation.kind === 'remove') return others;
  return [...others, { key: operation.key, saved: { ...operation.box, id } }];
}

/** Which fields an update has to send: those that differ. */
export function changedFields(before: LabelledBox, after: LabelledBox): Partial<LabelledBox> {
  const { label, confidence } = after;
  return {
    ...(label !== before.label && { label }),
    ...(confidence !== before.confidence && { confidence }),
    ...(!samePlace(before, after) && cornersOf(after)),
  };
}
