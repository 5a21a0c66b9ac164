import { expect, it } from 'vitest';
import type { TracedStage } from '../../../machine/vision/trace/trace.ts';
import { compareKept, mostCompared, type KeptBoxes } from './compare-kept.ts';
import { changesText } from './comparison-words.ts';

type Row = readonly [label: number, xMin: number, yMin: number, xMax: number, yMax: number];
const source: TracedStage = { step: null, widthPx: 400, heightPx: 400 };
const half: TracedStage = {
  step: { type: 'resize', attributes: { widthPx: 200, heightPx: 200 } },
  widthPx: 200,
  heightPx: 200,
};

function keptBoxes(rows: readonly Row[], labels: readonly string[], stages = [source]): KeptBoxes {
  const detections = {
    count: rows.length,
    labels,
    labelIndex: Uint32Array.from(rows, ([label]) => label),
    score: new Float64Array(rows.length).fill(0.5),
    box: Int32Array.from(rows.flatMap(([, ...box]) => box)),
    frameWidthPx: stages.at(-1)!.widthPx,
    frameHeightPx: stages.at(-1)!.heightPx,
    boxSpace: 'proportional' as const,
    droppedNaN: 0,
  };
  return { detections, kept: Uint32Array.from(rows.keys()), stages };
}

it('counts what becomes of boxes from A to B, and names the rows of B that A lacks', () => {
  const first = keptBoxes(
    [
      [0, 0, 0, 40, 40],
      [0, 100, 0, 140, 40],
      [1, 200, 0, 240, 40],
      [0, 300, 0, 340, 40],
      [0, 0, 300, 40, 340],
    ],
    ['cat', 'dog'],
  );
  // Labels are numbered otherwise, and written otherwise.
  const second = keptBoxes(
    [
      [1, 300, 2, 340, 42],
      [1, 0, 0, 40, 40],
      [1, 200, 0, 240, 40],
      [1, 103, 0, 143, 40],
      [0, 200, 200, 240, 240],
    ],
    ['Dog', 'CAT'],
  );
  const { counts, changedRows } = compareKept(first, second)!;
  expect(counts).toEqual({ same: 2, moved: 1, relabelled: 1, vanished: 1, appeared: 1 });
  expect([...changedRows].sort()).toEqual([2, 3, 4]);
  expect(changesText(counts)).toBe('1 vanishes, 1 appears, 1 label changes, 1 moves by more than 2 px');
  expect(changesText({ same: 0, moved: 2, relabelled: 0, vanished: 3, appeared: 0 })).toBe(
    '3 vanish, 0 appear, 0 labels change, 2 move by more than 2 px',
  );
});

it('counts only what is kept', () => {
  const first = keptBoxes([[0, 0, 0, 40, 40], [0, 100, 0, 140, 40]], ['cat']); // prettier-ignore
  const { counts, changedRows } = compareKept(first, { ...first, kept: Uint32Array.of(1) })!;
  expect(counts).toMatchObject({ same: 1, vanished: 1, appeared: 0 });
  expect(changedRows.size).toBe(0);
});

it('compares boxes of different cameras on the source', () => {
  const first = keptBoxes([[0, 100, 100, 200, 200]], ['cat']);
  const second = keptBoxes([[0, 50, 50, 100, 100]], ['cat'], [source, half]);
  expect(compareKept(first, second)!.counts).toMatchObject({ same: 1, vanished: 0, appeared: 0 });
});

it('compares no more boxes than there is time for on each frame', () => {
  const many = keptBoxes(
    Array.from({ length: mostCompared + 1 }, (_, at): Row => [0, at, 0, at + 9, 9]),
    ['cat'],
  );
  expect(compareKept(many, keptBoxes([], ['cat']))).toBeNull();
  const fewer = { ...many, kept: many.kept.slice(1) };
  expect(compareKept(fewer, fewer)!.counts.same).toBe(mostCompared);
});
