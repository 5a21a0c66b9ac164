import { expect, it } from 'vitest';
import type { Detection } from '../../src/machine/vision/results/detections.ts';
import { frameAgreement, type SideResult } from './frame-agreement.ts';

const box = (label: string, score: number, xMin: number, side = 100): Detection => ({
  label,
  score,
  xMin,
  yMin: 0,
  xMax: xMin + side,
  yMax: side,
});
const frame = { widthPx: 640, heightPx: 480 };
const boxes = (...kept: Detection[]): SideResult => ({ boxes: kept, classes: null });
const classes = (...kept: [string, number][]): SideResult => ({
  boxes: null,
  classes: kept.map(([label, score]) => ({ label, score })),
});
const agreed = (reference: SideResult, other: SideResult) => frameAgreement(reference, other, 0.5, false, frame);

it.each<[string, SideResult, SideResult, Partial<ReturnType<typeof agreed>>]>([
  ['the same boxes in another order', boxes(box('cat', 0.9, 0), box('dog', 0.8, 300)), boxes(box('dog', 0.8, 300), box('cat', 0.9, 0)), { agrees: true, kept: { reference: 2, other: 2 } }], // prettier-ignore
  ['rounding', boxes(box('cat', 0.9, 0)), boxes(box('cat', 0.895, 6)), { agrees: true, largestShiftPx: 6 }],
  ['a box that moved', boxes(box('cat', 0.9, 0)), boxes(box('cat', 0.9, 8)), { agrees: false, largestShiftPx: 8 }],
  ['another score', boxes(box('cat', 0.9, 0)), boxes(box('cat', 0.88, 0)), { agrees: false, lost: 0, added: 0 }],
  ['a box that is lost', boxes(box('cat', 0.9, 0), box('cat', 0.5, 300)), boxes(box('cat', 0.9, 0)), { agrees: false, lost: 1, added: 0 }], // prettier-ignore
  ['a box that is added', boxes(), boxes(box('cat', 0.9, 0)), { agrees: false, lost: 0, added: 1 }],
  ['half of a box', boxes(box('cat', 0.9, 0)), boxes({ ...box('cat', 0.9, 0), xMax: 50 }), { agrees: false, lost: 0, added: 0, largestShiftPx: 50 }], // prettier-ignore
  ['a box elsewhere', boxes(box('cat', 0.9, 0)), boxes(box('cat', 0.9, 60)), { agrees: false, lost: 1, added: 1 }],
  ['another label', boxes(box('cat', 0.9, 0)), boxes(box('dog', 0.9, 0)), { agrees: false, relabelled: 1, lost: 0 }],
  ['two of one place, each with its label', boxes(box('cat', 0.9, 0), box('dog', 0.8, 4)), boxes(box('dog', 0.8, 2), box('cat', 0.9, 2)), { agrees: true, relabelled: 0 }], // prettier-ignore
  ['a box without an area', boxes(box('cat', 0.9, 5, 0)), boxes(box('cat', 0.9, 5, 0)), { agrees: true }],
  ['no box at all', boxes(), boxes(), { agrees: true, kept: { reference: 0, other: 0 } }],
  ['classes of rounding', classes(['cat', 0.9]), classes(['cat', 0.895]), { agrees: true }],
  ['classes at the very limit of rounding', classes(['cat', 0.01]), classes(['cat', 0]), { agrees: true }],
  ['another class', classes(['cat', 0.9]), classes(['dog', 0.9]), { agrees: false, lost: 1, added: 1 }],
  ['another score of a class', classes(['cat', 0.9]), classes(['cat', 0.8]), { agrees: false }],
])('compares %s', (_, reference, other, expected) => {
  expect(agreed(reference, other)).toMatchObject(expected);
});

it('goes by the tensors where a side gives neither boxes nor classes', () => {
  const raw: SideResult = { boxes: null, classes: null };
  expect(frameAgreement(boxes(), raw, 1e-6, true, frame)).toMatchObject({ kept: null, outputs: 1e-6, agrees: true });
  expect(frameAgreement(raw, raw, null, false, frame)).toMatchObject({ kept: null, outputs: null, agrees: false });
});
