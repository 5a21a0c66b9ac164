import type { LabelledBox } from '../../../../evidence/capture/capture.ts';
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

/** A box of the editor and the stored box that it belongs to. */
export interface KeptBox {
  readonly key: string;
  readonly saved: KeptImageBox;
}

/** One step from what the service stores to what the editor shows. */
export type BoxOperation =
  | { readonly kind: 'add'; readonly key: string; readonly box: TrackedBox }
  | { readonly kind: 'update'; readonly key: string; readonly id: string; readonly box: TrackedBox }
  /** A partial update cannot remove a confidence: the box is added again, then the old one is removed. */
  | { readonly kind: 'replace'; readonly key: string; readonly id: string; readonly box: TrackedBox }
  | { readonly kind: 'remove'; readonly key: string; readonly id: string };

/**
 * The operations after which the service stores `boxes`, without predictions, boxes between key frames and boxes
 * without a label.
 */
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

/** What the service stores after an operation; `id` is the id that it gave the box. */
export function afterOperation(kept: readonly KeptBox[], operation: BoxOperation, id: string): readonly KeptBox[] {
  const others = kept.filter(({ key }) => key !== operation.key);
  if (operation.kind === 'remove') return others;
  return [...others, { key: operation.key, saved: { ...operation.box, id } }];
}

/** The fields that an update has to send: those that differ. */
export function changedFields(before: LabelledBox, after: LabelledBox): Partial<LabelledBox> {
  const { label, confidence } = after;
  return {
    ...(label !== before.label && { label }),
    ...(confidence !== before.confidence && { confidence }),
    ...(!samePlace(before, after) && cornersOf(after)),
  };
}
