import { describe, expect, it } from 'vitest';
import { folderOfFiles, gathered, pngHeader } from '../../../../../tests/dataset-fixture.ts';
import { DatasetReport } from '../../item/dataset-report.ts';
import { importDataset } from '../../import-dataset.ts';

describe('importing COCO', () => {
  async function importCoco(dataset: object, path = 'instances.json', images: readonly string[] = ['a.png', 'b.png']) {
    const report = new DatasetReport();
    const files = { [path]: JSON.stringify(dataset), ...Object.fromEntries(images.map((image) => [image, null])) };
    return { items: await gathered(importDataset(folderOfFiles(files), { report })), report };
  }
  const a = { id: 1, file_name: 'a.png', width: 200, height: 100 };
  const dog = { id: 18, name: 'dog' };

  it('counts what a box has no place for', async () => {
    const one = { image_id: 1, category_id: 18, bbox: [0, 0, 20, 10] };
    const json = {
      images: [a],
      categories: [dog],
      annotations: [
        { ...one, id: 1, segmentation: [[0, 0, 20, 0, 20, 10]] },
        { ...one, id: 2, segmentation: [], keypoints: [3, 4, 2], attributes: { occluded: false, rotation: 0 } },
        { ...one, id: 3, segmentation: { counts: 'x', size: [1, 1] }, attributes: { rotation: 45, track_id: 7 } },
        { ...one, id: 4, segmentation: [], iscrowd: 1 },
        { ...one, id: 5, attributes: { colour: 'red', occluded: true } },
      ],
    };
    const report = new DatasetReport();
    const files = folderOfFiles({ 'instances.json': JSON.stringify(json), 'a.png': null });
    const [item] = await gathered(importDataset(files, { report }));
    expect(item!.boxes.length).toBe(4);
    expect(Object.fromEntries(report.lost.map(({ kind, count }) => [kind, count]))).toEqual({
      polygons: 1,
      keyPoints: 1,
      masks: 1,
      turned: 1,
      attributes: 1,
    });
  });

  it('takes ids that are texts here and numbers there, and needs no area', async () => {
    const { items, report } = await importCoco({
      images: [
        { ...a, id: '1' },
        { id: 2, file_name: 'b.png', width: 10, height: 10 },
      ],
      annotations: [{ id: 'x', image_id: 1, category_id: '18', bbox: [20, 10, 100, 50] }],
      categories: [dog],
    });
    expect(items).toMatchObject([
      { boxes: [{ label: 'dog', xMinNormalized: 0.1, yMinNormalized: 0.1, xMaxNormalized: 0.6, yMaxNormalized: 0.6 }] },
      { fileName: 'b.png', boxes: [] },
    ]);
    expect(report.problems).toEqual([]);
    expect(report).toMatchObject({ imageCount: 2, boxCount: 1, expectedImages: 2 });
  });

  it.each([
    ['a mask beside its box', { bbox: [0, 0, 20, 10], segmentation: { counts: 'x', size: [1, 1] } }, 1, null],
    [
      'polygons without a box',
      { segmentation: [[20, 10, 120, 10, 120, 60]] },
      1,
      'Annotation 5 of “a.png” has no “bbox”; the box around its polygons was taken.',
    ],
    [
      'a mask without a box',
      { segmentation: { counts: 'x', size: [1, 1] } },
      0,
      'Annotation 5 of “a.png” has no “bbox” of four numbers, but undefined.',
    ],
    [
      'a box of three numbers',
      { bbox: [1, 2, 3] },
      0,
      'Annotation 5 of “a.png” has no “bbox” of four numbers, but [1,2,3].',
    ],
    ['a box of texts', { bbox: ['1', 2, 3, 4] }, 0, 'The box “dog” has no number as x min, but “1”.'],
    [
      'a crowd',
      { bbox: [0, 0, 20, 10], iscrowd: 1 },
      0,
      'Annotations that are crowds (iscrowd 1), not single objects: 1. They are not boxes; what a model finds there is not false.',
    ],
    [
      'a crowd in other words',
      { bbox: [0, 0, 20, 10], iscrowd: true },
      0,
      'Annotations that are crowds (iscrowd 1), not single objects: 1. They are not boxes; what a model finds there is not false.',
    ],
    [
      'a box over the edge',
      { bbox: [100, 0, 101, 100] },
      1,
      'The box “dog” reached over the edge (0.5, 0, 1.005, 1, of 0 to 1); cut there.',
    ],
    [
      'a box outside',
      { bbox: [300, 0, 10, 10] },
      0,
      'The box “dog” lies outside the picture (1.5, 0, 1.55, 0.1, of 0 to 1).',
    ],
    [
      'an unknown category',
      { bbox: [0, 0, 20, 10], category_id: 99 },
      0,
      'Annotation 5 of “a.png” is of category 99, which “categories” does not list.',
    ],
    [
      'an unknown picture',
      { bbox: [0, 0, 20, 10], image_id: 9 },
      0,
      /^An annotation belongs to no image of “images”: /,
    ],
    [
      'a score that is none',
      { bbox: [0, 0, 20, 10], score: 97 },
      1,
      'The box “dog” has a confidence of 97, not of 0 to 1; left out.',
    ],
  ])('imports or reports %s', async (_, annotation, boxCount, message) => {
    const dataset = {
      images: [a],
      annotations: [{ id: 5, image_id: 1, category_id: 18, ...annotation }],
      categories: [dog],
    };
    const { items, report } = await importCoco(dataset, 'instances.json', ['a.png']);
    expect(items[0]!.boxes).toHaveLength(boxCount);
    const expected = typeof message === 'string' ? message : message && expect.stringMatching(message);
    expect(report.problems.map((problem) => problem.message)).toEqual(expected === null ? [] : [expected]);
  });

  it('reads a missing size from the picture', async () => {
    const { items } = await importCoco({
      images: [{ id: 1, file_name: 'a.png' }],
      annotations: [{ image_id: 1, category_id: 18, bbox: [50, 25, 50, 25] }],
      categories: [dog],
    });
    expect(items).toMatchObject([
      { sizePx: { widthPx: 100, heightPx: 50 }, boxes: [{ xMinNormalized: 0.5, yMaxNormalized: 1 }] },
    ]);
  });

  it('says once of captions and key points that their pictures came before', async () => {
    const report = new DatasetReport();
    const images = [a, { ...a, id: 2, file_name: 'b.png' }];
    const captions = images.map(({ id }) => ({ id, image_id: id, caption: 'a dog' }));
    const boxes = images.map(({ id }) => ({ id, image_id: id, category_id: 18, bbox: [0, 0, 20, 10] }));
    const files = folderOfFiles({
      'annotations/captions_val.json': JSON.stringify({ images, annotations: captions }),
      'annotations/instances_val.json': JSON.stringify({ images, annotations: boxes, categories: [dog] }),
      'val/a.png': null,
      'val/b.png': null,
    });
    expect(await gathered(importDataset(files, { report }))).toMatchObject([{ boxes: [{}] }, { boxes: [{}] }]);
    expect(report.problems).toMatchObject([
      {
        severity: 'note',
        file: 'annotations/captions_val.json',
        message: expect.stringMatching(/^2 of its/) as string,
      },
    ]);
  });

  it('turns boxes of the stored picture with a picture that is shown turned', async () => {
    const files = folderOfFiles({
      'instances.json': JSON.stringify({
        images: [{ ...a, width: 100, height: 50 }],
        annotations: [{ id: 1, image_id: 1, category_id: 18, bbox: [0, 0, 50, 10] }],
        categories: [dog],
      }),
      'a.png': pngHeader(100, 50, 6),
    });
    const [item] = await gathered(importDataset(files));
    expect(item).toMatchObject({
      sizePx: { widthPx: 50, heightPx: 100 },
      boxes: [{ xMinNormalized: 0.8, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 0.5 }],
    });
  });

  it.each([
    ['instances_val2017.json', ['train2017/a.png', 'val2017/a.png'], 'val2017/a.png', 'val'],
    ['valid/_annotations.coco.json', ['train/a.png', 'valid/a.png'], 'valid/a.png', 'val'],
    ['annotations.json', ['images/train/a.png'], 'images/train/a.png', 'train'],
  ])('knows which of two pictures %s means, and its split', async (path, images, found, split) => {
    const { items } = await importCoco({ images: [a], annotations: [], categories: [] }, path, images);
    expect(items).toMatchObject([{ content: { path: found }, split }]);
  });
});
