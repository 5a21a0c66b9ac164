import { describe, expect, it } from 'vitest';
import { acceptBox, acceptConfidence, type FoundBox } from './accept-box.ts';
import { DatasetReport } from './dataset-report.ts';

type Corners = FoundBox['corners'];

function accept(found: Partial<FoundBox>) {
  const report = new DatasetReport();
  const corners: Corners = [0.25, 0.5, 0.75, 1];
  const box = acceptBox({ label: 'dog', corners, ...found }, report, 'a.json', 7);
  return { box, said: report.problems.map(({ severity, message }) => `${severity}: ${message}`), report };
}
const cornersOf = (found: Corners) => {
  const { box, said } = accept({ corners: found });
  return { corners: box && [box.xMinNormalized, box.yMinNormalized, box.xMaxNormalized, box.yMaxNormalized], said };
};

it('takes a good box as it is, with its confidence and id', () => {
  const { box, said } = accept({ confidence: 0, id: 'b1' });
  expect(box).toEqual({
    label: 'dog',
    xMinNormalized: 0.25,
    yMinNormalized: 0.5,
    xMaxNormalized: 0.75,
    yMaxNormalized: 1,
    confidence: 0,
    id: 'b1',
  });
  expect(said).toEqual([]);
});

it.each([
  ['no id', undefined],
  ['an empty id', ''],
  ['an id that is no text', 5],
])('leaves out %s', (_, id) => {
  expect(accept({ id }).box).not.toHaveProperty('id');
});

it.each<[string, Partial<FoundBox>, string]>([
  ['no label', { label: undefined }, 'has no label'],
  ['a blank label', { label: '  ' }, 'has no label'],
  ['a label that is no text', { label: 7 }, 'has no label, but 7'],
  ['no number', { corners: [0, NaN, 1, 1], written: [0, 'x', 1, 1] }, 'no number as y min, but “x”'],
  ['an infinite corner', { corners: [0, 0, Infinity, 1] }, 'no number as x max'],
  ['a place right of the picture', { corners: [1.01, 0, 1.2, 1] }, 'outside the picture (1.01, 0, 1.2, 1'],
  ['a place below it', { corners: [0, 1.01, 1, 1.2] }, 'outside the picture'],
  ['a place left of it', { corners: [-0.2, 0, -0.01, 1] }, 'outside the picture'],
  ['a place above it', { corners: [0, -0.2, 1, -0.01] }, 'outside the picture'],
])('refuses %s, and says so with file and line', (_, found, words) => {
  const { box, said, report } = accept(found);
  expect(box).toBeNull();
  expect(said).toEqual([expect.stringContaining(words)]);
  expect(report.problems[0]).toMatchObject({ severity: 'error', file: 'a.json', line: 7 });
});

describe('corners', () => {
  it.each<[string, Corners, Corners, string[]]>([
    ['that touch the edge', [0, 0, 1, 1], [0, 0, 1, 1], []],
    ['of no area, at the far edge', [1, 1, 1, 1], [1, 1, 1, 1], []],
    ['of no area, at the near one', [0, 0, 0, 0], [0, 0, 0, 0], []],
    ['past the edge by rounding', [-1e-7, 0, 1 + 1e-7, 1], [0, 0, 1, 1], []],
    ['x in the wrong order', [0.75, 0, 0.25, 1], [0.25, 0, 0.75, 1], ['wrong order']],
    ['y in the wrong order', [0, 0.75, 1, 0.25], [0, 0.25, 1, 0.75], ['wrong order']],
    ['in the wrong order by rounding', [0.5 + 1e-7, 0, 0.5, 1], [0.5, 0, 0.5 + 1e-7, 1], []],
    ['over the near edge', [-0.1, 0, 0.5, 1], [0, 0, 0.5, 1], ['over the edge']],
    ['over the far edge', [0, 0.5, 1, 1.1], [0, 0.5, 1, 1], ['over the edge']],
    ['wrong and over', [0.5, 0, -0.1, 1], [0, 0, 0.5, 1], ['wrong order', 'over the edge']],
  ])('%s', (_, found, expected, words) => {
    const { corners, said } = cornersOf(found);
    expect(corners).toEqual(expected);
    expect(said).toEqual(words.map((word) => expect.stringMatching(`^note: .*${word}`)));
  });
});

it.each<[unknown, object, number]>([
  [undefined, {}, 0],
  [null, {}, 0],
  [0, { confidence: 0 }, 0],
  [1, { confidence: 1 }, 0],
  [1.01, {}, 1],
  [-0.01, {}, 1],
  ['0.5', {}, 1],
  [NaN, {}, 1],
])('takes a confidence of %s as %o with %i notes', (value, expected, notes) => {
  const report = new DatasetReport();
  expect(acceptConfidence(value, 'box “dog”', report, 'a.json', null)).toEqual(expected);
  expect(report.noteCount).toBe(notes);
});
