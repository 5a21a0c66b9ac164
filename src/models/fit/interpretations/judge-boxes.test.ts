import { describe, expect, it } from 'vitest';
import { float32 } from '../../../../tests/fixed-session.ts';
import { readBoxRows } from './box-rows.ts';
import { judgeBoxes } from './judge-boxes.ts';
import { sixBoxOrders, type DetectionInterpretation } from './interpretation.ts';

const interpretation: DetectionInterpretation = {
  kind: 'detections',
  location: 'boxes',
  category: 'classes',
  score: 'scores',
  boxOrder: [0, 1, 2, 3],
  boxForm: 'two corners',
  space: 'machine',
  activation: 'none',
  classBase: 0,
};
const sizes = { inputWidthPx: 101, inputHeightPx: 201 };

/** Boxes of different places, sizes and classes; `change` makes something wrong of a row. */
function rows(
  count: number,
  change: (box: number[], row: number) => readonly number[] = (box) => box,
  scores: (row: number) => number = (row) => 0.9 - 0.02 * row,
  classes: (row: number) => number = (row) => row % 3,
  supposed: Partial<DetectionInterpretation> = {},
) {
  const list = Array.from({ length: count }, (_, row) => {
    const [x, y] = [(row * 0.17) % 0.8, (row * 0.29) % 0.7];
    return change([x, y, x + 0.05 + 0.01 * (row % 7), y + 0.08 + 0.02 * (row % 5)], row);
  });
  const outputs = new Map([
    ['boxes', float32([1, count, 4], list.flat())],
    [
      'classes',
      float32(
        [1, count],
        list.map((_, row) => classes(row)),
      ),
    ],
    [
      'scores',
      float32(
        [1, count],
        list.map((_, row) => scores(row)),
      ),
    ],
  ]);
  return readBoxRows(outputs, { ...interpretation, ...supposed }, sizes)!;
}

describe('judgeBoxes', () => {
  it('finds boxes plausible that lie about, with scores and classes', () => {
    expect(judgeBoxes(rows(12))).toEqual({ kind: 'plausible', seen: [], notes: [] });
    expect(judgeBoxes(rows(1))).toEqual({ kind: 'plausible', seen: [], notes: [] });
    const pixels = rows(12, ([a, b, c, d]) => [100 * a! + 4, 200 * b! + 4, 100 * c! + 4, 200 * d! + 4]);
    expect([pixels.space, judgeBoxes(pixels).kind]).toEqual(['absolute', 'plausible']);
  });

  it('refuses boxes that have one score, whatever lies under them', () => {
    const scored = (scores: (row: number) => number) => judgeBoxes(rows(40, (box) => box, scores));
    expect(scored((row) => (row === 3 ? 0.73 : 0.5 + 0.001 * (row % 3)))).toMatchObject({
      kind: 'refused',
      seen: [expect.stringMatching(/^39 of 40 boxes have a score of 0\.50/)],
    });
    expect(scored((row) => (row < 9 ? 0.9 : 0.27)).kind).toBe('plausible');
    expect(scored(() => 0.996).kind).toBe('plausible');
  });

  it.each([
    [
      'pixels after a first box of zeros',
      rows(12, (box, row) => (row === 0 ? [0, 0, 0, 0] : box.map((value) => 300 * value + 40))),
      /11 of 12 boxes reach far outside the frame.*first box add up to 0, below 4/,
    ],
    [
      'pixels of a larger picture',
      rows(12, (box) => box.map((value) => 2000 * value + 400)),
      /12 of 12 boxes reach far outside the frame. They were read as pixels/,
    ],
    [
      'centre and size',
      rows(12, ([a, b, c, d]) => [(a! + c!) / 2, (b! + d!) / 2, c! - a!, d! - b!]),
      /edges stand the wrong way round/,
    ],
    ['no area', rows(12, ([x, y]) => [x!, y!, x! + 0.001, y! + 0.2]), /12 of 12 boxes are thinner than 0.4 %/],
    ['one size', rows(12, ([x, y]) => [x!, y!, x! + 0.1, y! + 0.1]), /All \d+ boxes have one size/],
    [
      'a corner',
      rows(12, (box) => box.map((value) => 0.78 + value / 6)),
      /All \d+ boxes lie in the lower right corner/,
    ],
    ['logits', rows(12, undefined, (row) => 4 - row), /scores go from -7 to 4: they are not probabilities/],
    ['8-bit scores', rows(12, undefined, (row) => 255 - row), /scores go from 244 to 255/],
    [
      'NaN',
      rows(
        12,
        () => [NaN, NaN, NaN, NaN],
        () => NaN,
      ),
      /NaN/,
    ],
  ])('refuses %s', (_, wrong, words) => {
    const { kind, seen } = judgeBoxes(wrong);
    expect([kind, seen.join(' ')]).toEqual(['refused', expect.stringMatching(words)]);
  });

  it('refuses a background class for a thing, by the label that it has', () => {
    const outputs = new Map([
      [
        'boxes',
        float32(
          [1, 40, 4],
          Array.from({ length: 160 }, (_, i) => ((i * 7) % 50) / 100 + (i % 4 > 1 ? 0.5 : 0)),
        ),
      ],
      [
        'scores',
        float32([1, 40, 2], Array.from({ length: 40 }, (_, row) => (row < 36 ? [0.98, 0.02] : [0.1, 0.9])).flat()),
      ],
    ]);
    const asThing = readBoxRows(outputs, { ...interpretation, category: null }, sizes)!;
    expect(judgeBoxes(asThing, (category) => ['person', 'bicycle'][category]!)).toMatchObject({
      kind: 'refused',
      seen: [
        expect.stringContaining(
          '36 of 40 boxes are “person” with a score above 0.5: class 0 of this model means background',
        ),
      ],
    });
    const asBackground = readBoxRows(
      outputs,
      { ...interpretation, category: null, classBase: 'background-first' },
      sizes,
    )!;
    expect([...asBackground.category.slice(35, 37)]).toEqual([1, 1]);
    expect(Math.max(...asBackground.score)).toBeCloseTo(0.9);
    expect(judgeBoxes(asBackground).seen.join()).not.toContain('background');
  });

  it.each([
    ['no boxes', rows(0), /no boxes for this frame/],
    [
      'scores that stay low',
      rows(12, undefined, () => 0.003),
      /No score passes 0.05 on this frame: the largest of 12 is 0.003/,
    ],
    [
      'one class everywhere',
      rows(
        30,
        undefined,
        (row) => 0.9 / (row + 1),
        () => 7,
      ),
      /All 30 boxes are “7”/,
    ],
  ])('is not sure about %s', (_, wrong, words) => {
    const { kind, seen } = judgeBoxes(wrong);
    expect([kind, seen.join(' ')]).toEqual(['unsure', expect.stringMatching(words)]);
  });

  it('notes what lost the scores of classes that are all exactly 0', () => {
    const notesOf = (count: number, scoreAt: (at: number) => number) => {
      const outputs = new Map([
        ['boxes', float32([1, count, 4], new Array<number>(4 * count).fill(0.5))],
        [
          'scores',
          float32(
            [1, count, 3],
            Array.from({ length: 3 * count }, (_, at) => scoreAt(at)),
          ),
        ],
      ]);
      return judgeBoxes(readBoxRows(outputs, { ...interpretation, category: null }, sizes)!).notes;
    };
    expect(notesOf(8400, () => 0)).toEqual([
      expect.stringMatching(/^All scores of 8,400 boxes are exactly 0: the quantisation of this head has lost them\./),
    ]);
    expect(notesOf(8400, (at) => (at === 9 ? 0.001 : 0))).toEqual([]);
    expect(notesOf(4, () => 0)).toEqual([]);
  });

  it('takes empty places of a fixed number of boxes for no lost scores', () => {
    expect(judgeBoxes(rows(300, undefined, () => 0)).notes).toEqual([]);
  });

  it('is sure of a detector of one class', () => {
    expect(
      judgeBoxes(
        rows(
          30,
          undefined,
          (row) => 0.9 / (row + 1),
          () => 0,
        ),
      ).kind,
    ).toBe('plausible');
  });

  it('takes an order that names max before min for what it is: harmless', () => {
    expect(judgeBoxes(rows(12, ([a, b, c, d]) => [c!, b!, a!, d!])).kind).toBe('plausible');
  });

  it('notes that nothing suppresses', () => {
    const piled = rows(
      40,
      (_, row) => [0.1 + 0.001 * row, 0.1, 0.5 + 0.002 * row, 0.6],
      () => 0.8,
    );
    expect(judgeBoxes(piled).notes).toEqual([
      expect.stringMatching(/^40 boxes for about 1 things: nothing.*suppresses/),
    ]);
  });
});

it('reads the six orders apart', () => {
  const read = sixBoxOrders.map((boxOrder) =>
    [...rows(1, () => [0.1, 0.2, 0.3, 0.4], undefined, undefined, { boxOrder }).box]
      .map((value) => Number(value.toFixed(3)))
      .join(' '),
  );
  expect(new Set(read).size).toBe(6);
  expect(read[1]).toBe('0.1 0.2 0.3 0.4');
  expect(read[0]).toBe('0.2 0.1 0.4 0.3');
});
