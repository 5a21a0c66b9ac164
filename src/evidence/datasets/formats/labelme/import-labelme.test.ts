import { describe, expect, it } from 'vitest';
import { readPictures } from '../../../../../tests/read-pictures.ts';
import { folderOfFiles } from '../../../../../tests/dataset-fixture.ts';
import { detectFormats } from '../../import-dataset.ts';

describe('LabelMe', () => {
  const shape = (label: string, points: number[][], shape_type: string) => ({ label, points, shape_type, flags: {} });
  it('gives boxes, and the boxes around what is none', async () => {
    const json = {
      version: '5.0', flags: { blurred: true, night: false }, imageWidth: 100, imageHeight: 50,
      imagePath: '..\\elsewhere\\a.png', imageData: null,
      shapes: [
        shape('cup', [[30, 40], [10, 20]], 'rectangle'),
        shape('plate', [[1, 2], [5, 2], [5, 9]], 'polygon'),
        shape('lid', [[50, 25], [53, 29]], 'circle'),
        shape('dot', [[50, 25]], 'point'),
        shape('edge', [[50, 25], [1, 1]], 'linestrip'),
      ],
    }; // prettier-ignore
    const { pictures, errors, lost } = await readPictures({ 'a.json': JSON.stringify(json), 'a.png': null }, 'labelme');
    expect(pictures).toEqual([
      [
        'a.png',
        null,
        [
          ['cup', 10, 20, 30, 40],
          ['plate', 1, 2, 5, 9],
          ['lid', 45, 20, 55, 30],
        ],
        '# blurred',
      ],
    ]);
    expect([errors, lost]).toEqual([[], { polygons: 1, others: 1, points: 1, lines: 1 }]);
  });
});

describe('a LabelMe file', () => {
  const shape = { label: 'cup', points: [[10, 20], [30, 40]], shape_type: 'rectangle' }; // prettier-ignore
  const labelMe = (more: object, of: object = shape) =>
    JSON.stringify({ shapes: [of], imagePath: 'a.png', imageWidth: 100, imageHeight: 50, ...more });
  const box = ['cup', 10, 20, 30, 40];

  it.each<[string, object, string]>([
    ['is that of imagePath', {}, 'a.png'],
    ['has its own name where imagePath is not there', { imagePath: 'z.png' }, 'x.png'],
    ['has its own name where imagePath is empty', { imagePath: '' }, 'x.png'],
    ['has its own name without imagePath', { imagePath: undefined }, 'x.png'],
  ])('names a picture that %s', async (_, more, name) => {
    const { pictures } = await readPictures(
      { 'X.json': labelMe(more), 'a.png': null, 'x.png': null, 'x.txt': '' },
      'labelme',
    );
    expect(pictures).toEqual([[name, null, [box]]]);
  });

  it.each<[string, string, string]>([
    ['a picture that is not there', labelMe({ imagePath: 'z.png' }), 'There is no file “z.png”.'],
    ['no picture', labelMe({ imagePath: 7 }), 'It has no “imagePath”, and no picture has its own name.'],
    ['an empty name', labelMe({ imagePath: '' }), 'It has no “imagePath”, and no picture has its own name.'],
    ['half a text', labelMe({}).slice(0, -1), 'The file cannot be read: '],
    ['a shape without points', labelMe({ imagePath: 'b.png' }, { ...shape, points: [] }), 'The shape “cup” has no points.'],
    ['a shape that is none', labelMe({ imagePath: 'b.png' }, [7]), 'The shape undefined has no points.'],
  ])('says what is wrong with %s', async (_, text, message) => {
    const files = { 'a.json': labelMe({}), 'a.png': null, 'b.json': text, ...(text.includes('b.png') ? { 'b.png': null } : {}) };
    const { pictures, errors } = await readPictures(files, 'labelme');
    expect(pictures[0]).toEqual(['a.png', null, [box]]);
    expect(errors).toEqual([expect.stringContaining(message)]);
  }); // prettier-ignore

  it.each<[string, object, unknown[], object]>([
    ['a polygon where no type is said', { shape_type: undefined }, [box], { polygons: 1 }],
    ['a mask', { shape_type: 'mask' }, [box], { masks: 1 }],
    ['a circle', { shape_type: 'circle', points: [[20, 20], [23, 24]] }, [['cup', 15, 15, 25, 25]], { others: 1 }],
    ['a line', { shape_type: 'line' }, [], { lines: 1 }],
    ['points', { shape_type: 'points' }, [], { points: 1 }],
    ['another kind', { shape_type: 'star' }, [], { others: 1 }],
    ['a flag that is set', { flags: { hidden: true } }, [box], { attributes: 1 }],
    ['a flag that is not', { flags: { hidden: false } }, [box], {}],
    ['a score', { score: 0.5 }, [[...box, 0.5]], {}],
  ])('reads %s', async (_, more, boxes, lost) => {
    const found = await readPictures({ 'a.json': labelMe({}, { ...shape, ...more }), 'a.png': null }, 'labelme');
    expect([found.pictures, found.lost, found.errors]).toEqual([[['a.png', null, boxes]], lost, []]);
  }); // prettier-ignore

  it('is known by what stands in its first four kilobytes', async () => {
    const late = `{"version":"${'x'.repeat(4100)}","shapes":[],"imagePath":"a.png"}`;
    const { found } = await detectFormats(
      folderOfFiles({ 'a.json': late, 'b.json': `[${labelMe({})}]`, 'a.png': null }),
    );
    expect(found).toEqual([]);
  });

  it('passes over JSON files of other kinds', async () => {
    const { pictures, report } = await readPictures(
      { 'a.json': '{"a":1}', 'b.json': labelMe({}), 'a.png': null },
      'labelme',
    );
    expect(pictures).toEqual([['a.png', null, [box]]]);
    expect([report.errorCount, report.expectedImages]).toEqual([0, 2]);
  });
});
