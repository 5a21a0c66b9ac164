import type { BinaryRecord, BoundingBox } from '../ports/stored-captures.ts';

/** An edit of one box: without `expected` it is added, without `box` removed. */
export interface BoxEdit {
  readonly id: string;
  /** the box as the author of the edit saw it; null: it was not there */
  readonly expected: BoundingBox | null;
  /** the box as it shall be; null: it shall not be there */
  readonly box: BoundingBox | null;
}

export interface BoxEditResult {
  readonly id: string;
  readonly isConflict: boolean;
  /** the box after the edit; null: it is not there */
  readonly box: BoundingBox | null;
}

/**
 * Applies those edits of an image's boxes whose `expected` is the box as it is now; the others are conflicts. An edit whose box is there
 * already is no conflict: it may be sent again after its answer was lost.
 * @param record the image as it is
 * @param edits one after the other
 * @returns the image as it shall be, the very same object where nothing changes; and a result for each edit
 * @example
 * const box = { id: '1', label: 'cup', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1, confidence: null };
 * const edit = { id: '1', expected: { ...box, label: 'mug' }, box: { ...box, label: 'jug' } };
 * editBoxes({ boundingBoxes: [box] }, [edit]).results[0].isConflict; // => true
 * editBoxes({ boundingBoxes: [box] }, [{ ...edit, expected: box }]).record.boundingBoxes[0].label; // => 'jug'
 */
export function editBoxes(
  record: BinaryRecord,
  edits: readonly BoxEdit[],
): { readonly record: BinaryRecord; readonly results: readonly BoxEditResult[] } {
  const boxes = new Map(record.boundingBoxes.map((box) => [box.id, box]));
  let isChanged = false;
  const results = edits.map(({ id, expected, box }): BoxEditResult => {
    const now = boxes.get(id) ?? null;
    if (isSame(now, box)) return { id, isConflict: false, box: now };
    if (!isSame(now, expected)) return { id, isConflict: true, box: now };
    isChanged = true;
    if (box === null) boxes.delete(id);
    else boxes.set(id, box);
    return { id, isConflict: false, box };
  });
  return { record: isChanged ? { ...record, boundingBoxes: [...boxes.values()] } : record, results };
}

function isSame(a: BoundingBox | null, b: BoundingBox | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.id === b.id &&
    a.label === b.label &&
    a.confidence === b.confidence &&
    a.xMinNormalized === b.xMinNormalized &&
    a.yMinNormalized === b.yMinNormalized &&
    a.xMaxNormalized === b.xMaxNormalized &&
    a.yMaxNormalized === b.yMaxNormalized
  );
}
