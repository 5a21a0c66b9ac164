import { describe, expect, it } from 'vitest';
import { listedFile, pngHeader } from '../../../../tests/dataset-fixture.ts';
import type { DatasetBox } from '../item/dataset-item.ts';
import { DatasetReport } from '../item/dataset-report.ts';
import { boxAround, boxAroundTurned, partsOf, pictureItem, sizeOfNumbers, type SaidOfPicture } from './picture-item.ts';

const at = { file: 'a.json', line: 3 };
/** One box over the left half of the picture's first ten rows. */
const boxesIn: SaidOfPicture['boxesIn'] = ({ widthPx, heightPx }): DatasetBox[] => [
  {
    label: `in ${widthPx}×${heightPx}`,
    xMinNormalized: 0,
    yMinNormalized: 0,
    xMaxNormalized: 0.5,
    yMaxNormalized: 0.1,
  },
];

async function item(bytes: Uint8Array, said: Partial<SaidOfPicture>, path = 'valid/a.png') {
  const report = new DatasetReport();
  const made = await pictureItem(
    listedFile(path, bytes),
    { declared: null, shapeCount: 1, boxesIn, ...said },
    at,
    report,
  );
  return { made, said: report.problems.map(({ severity, file, line, message }) => [severity, file, line, message]) };
}

describe('pictureItem', () => {
  it('counts boxes in the size that is stated', async () => {
    const { made, said } = await item(pngHeader(100, 50), { declared: { widthPx: 200, heightPx: 100 } });
    expect(made).toMatchObject({
      contentId: 'valid/a.png',
      fileName: 'a.png',
      sizePx: { widthPx: 200, heightPx: 100 },
      split: 'val',
      boxes: [{ label: 'in 200×100' }],
      tags: [],
      classifications: [],
      capturedAt: null,
      origin: {},
    });
    expect(said).toEqual([]);
  });

  it('counts them in the size that the file tells where none is stated', async () => {
    const { made } = await item(pngHeader(100, 50), { split: 'test', tags: ['night'] });
    expect(made).toMatchObject({ sizePx: { widthPx: 100, heightPx: 50 }, boxes: [{ label: 'in 100×50' }] });
    expect(made).toMatchObject({ split: 'test', tags: ['night'] });
  });

  it('turns boxes of the stored picture, and says so', async () => {
    const { made, said } = await item(pngHeader(100, 50, 6), { declared: { widthPx: 100, heightPx: 50 } });
    expect(made).toMatchObject({
      sizePx: { widthPx: 50, heightPx: 100 },
      boxes: [{ label: 'in 100×50', xMinNormalized: 0.9, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 0.5 }],
    });
    const words = 'The boxes of “valid/a.png” belong to the picture as it is stored; turned to how it is shown, 50×100 (EXIF orientation 6).';
    expect(said).toEqual([['note', 'a.json', 3, words]]);
  }); // prettier-ignore

  it('says that boxes are left out where nothing tells the size', async () => {
    const { made, said } = await item(Uint8Array.of(1), {});
    expect([made.sizePx, made.boxes]).toEqual([null, []]);
    expect(said).toEqual([['error', 'a.json', 3, '“valid/a.png” does not tell its size; its boxes are left out.']]);
    expect((await item(Uint8Array.of(1), { shapeCount: 0 })).said).toEqual([]);
  });

  it('reads no picture that has a size and no shapes', async () => {
    const read = () => {
      throw new Error('read');
    };
    const file = { path: 'a.png', sizeBytes: 1, read };
    const said = { declared: { widthPx: 4, heightPx: 2 }, shapeCount: 0, boxesIn: () => [] };
    expect(await pictureItem(file, said, at, new DatasetReport())).toMatchObject({
      sizePx: said.declared,
      split: null,
    });
  });
});

it('puts a box around points', () => {
  expect(boxAround([[3, 9], [1, 4], [2, 12]])).toEqual([1, 4, 3, 12]); // prettier-ignore
  expect(boxAround([[3, NaN]])).toEqual([3, NaN, 3, NaN]); // prettier-ignore
});

it.each([
  [0, [10, 20, 30, 30]],
  [90, [0, 20, 10, 40]],
  [180, [-10, 10, 10, 20]],
  [-90, [10, 0, 20, 20]],
  [45, [10 - 50 * Math.SQRT1_2 / 5, 20, 10 + 20 * Math.SQRT1_2, 20 + 30 * Math.SQRT1_2]],
])('puts a box around one that is turned by %i° about its first corner', (degrees, corners) => {
  const around = boxAroundTurned([10, 20, 30, 30], degrees, [10, 20]);
  for (const [i, corner] of corners.entries()) expect(around[i]).toBeCloseTo(corner, 9);
}); // prettier-ignore

it('parts a box in pixels by the sides of its picture', () => {
  expect(partsOf([20, 10, 100, 40], { widthPx: 200, heightPx: 50 })).toEqual([0.1, 0.2, 0.5, 0.8]);
});

it.each([
  ['100', '50', { widthPx: 100, heightPx: 50 }],
  [1, 1, { widthPx: 1, heightPx: 1 }],
  [0, 50, null],
  [100, 0, null],
  [100, '', null],
  [-1, 50, null],
  ['wide', 50, null],
  [100, undefined, null],
])('takes %j and %j for the size %j', (width, height, sizePx) => {
  expect(sizeOfNumbers(width, height)).toEqual(sizePx);
});
