import { describe, expect, it } from 'vitest';
import {
  datasetItem,
  folderOfFiles,
  gathered,
  listEntries,
  pngHeader,
  textOf,
} from '../../../../tests/dataset-fixture.ts';
import type { DatasetItem } from '../../dataset-item.ts';
import { DatasetReport } from '../../dataset-report.ts';
import { exportDataset } from '../../export-dataset.ts';
import { importDataset } from '../../import-dataset.ts';

interface Instances {
  info: object;
  licenses: object[];
  images: { id: number; file_name: string }[];
  annotations: { id: number; image_id: number; category_id: number }[];
  categories: { id: number; name: string }[];
}

async function exported(
  items: readonly DatasetItem[],
  path = 'annotations/instances.json',
  labels: readonly string[] = [],
) {
  const listed = await listEntries(
    exportDataset('coco', items, {
      datasetName: 'pets',
      classes: labels.map((label) => ({ label, id: null })),
      createdAt: '2024-05-01T00:00:00Z',
    }),
  );
  return { paths: listed.map((file) => file.path), instances: JSON.parse(await textOf(listed, path)) as Instances };
}

const box = (label: string) => ({
  label,
  xMinNormalized: 0.25,
  yMinNormalized: 0.5,
  xMaxNormalized: 0.75,
  yMaxNormalized: 1,
});

describe('exporting COCO', () => {
  it('writes every part of the format, boxes in pixels, pictures without boxes too', async () => {
    const { paths, instances } = await exported([
      datasetItem({
        fileName: 'a.png',
        boxes: [{ ...box('dog'), confidence: 0.5 }],
        capturedAt: '2024-05-01T12:34:56.5Z',
      }),
      datasetItem({ fileName: 'b.png' }),
    ]);
    expect(paths).toEqual(['images/a.png', 'images/b.png', 'annotations/instances.json']);
    const [a, b] = instances.images;
    expect(instances).toEqual({
      info: {
        description: 'pets',
        version: '1.0',
        year: 2024,
        date_created: '2024-05-01T00:00:00Z',
        contributor: '',
        url: '',
      },
      licenses: [{ id: 1, name: 'Unknown', url: '' }],
      images: [
        {
          id: a!.id,
          file_name: 'a.png',
          width: 640,
          height: 480,
          license: 1,
          date_captured: '2024-05-01 12:34:56.5',
          content_id: 'id of a.png',
        },
        { id: b!.id, file_name: 'b.png', width: 640, height: 480, license: 1, content_id: 'id of b.png' },
      ],
      annotations: [
        {
          id: instances.annotations[0]!.id,
          image_id: a!.id,
          category_id: 1,
          bbox: [160, 240, 320, 240],
          area: 76_800,
          segmentation: [],
          iscrowd: 0,
          score: 0.5,
        },
      ],
      categories: [{ id: 1, name: 'dog', supercategory: '' }],
    });
  });

  it('keeps ids of pictures and boxes whatever else is exported, none of them 0 or beyond 32 bits', async () => {
    const [a, b] = [
      datasetItem({ fileName: 'a.png', boxes: [box('dog')] }),
      datasetItem({ fileName: 'b.png', boxes: [box('cat'), box('cat')] }),
    ];
    const alone = (await exported([b])).instances;
    const together = (await exported([a, b])).instances;
    expect(together.images[1]!.id).toBe(alone.images[0]!.id);
    expect(together.annotations.slice(1).map(({ id }) => id)).toEqual(alone.annotations.map(({ id }) => id));
    const ids = [...together.images, ...together.annotations].map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    expect(ids.every((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)).toBe(true);
  });

  it('sorts categories behind the given ones', async () => {
    const items = ['b', 'Z', 'a'].map((label) => datasetItem({ fileName: `${label}.png`, boxes: [box(label)] }));
    const { instances } = await exported(items, undefined, ['person']);
    expect(instances.categories.map(({ id, name }) => [id, name])).toEqual([[1, 'person'], [2, 'Z'], [3, 'a'], [4, 'b']]); // prettier-ignore
  });

  it('writes a file a split, with the same categories in each', async () => {
    const items = [
      datasetItem({ fileName: 'a.png', split: 'train', boxes: [box('dog')] }),
      datasetItem({ fileName: 'b.png', split: 'val', boxes: [box('cat')] }),
    ];
    const { paths, instances } = await exported(items, 'annotations/instances_val.json');
    expect(paths).toEqual([
      'images/train/a.png',
      'images/val/b.png',
      'annotations/instances_train.json',
      'annotations/instances_val.json',
    ]);
    expect(instances.categories.map(({ name }) => name)).toEqual(['cat', 'dog']);
    expect(instances.images.map(({ file_name }) => file_name)).toEqual(['b.png']);
  });

  it('leaves out a picture whose size nothing tells, and says so', async () => {
    const report = new DatasetReport();
    const unknown = datasetItem({ fileName: 'a.bmp', sizePx: null, content: folderOfFiles({ 'a.bmp': 'BM' })[0]! });
    const listed = await listEntries(exportDataset('coco', [unknown], { datasetName: 'd', report }));
    expect(listed.map(({ path }) => path)).toEqual(['annotations/instances.json']);
    expect(report.problems).toMatchObject([{ severity: 'error', file: 'a.bmp' }]);
  });
});

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
      ...{ polygons: 1, keyPoints: 1, masks: 1, turned: 1, tracks: 1, crowds: 1, attributes: 1 },
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
      'Annotation 5 of “a.png” is a crowd (iscrowd 1), not one object; left out.',
    ],
    [
      'a crowd in other words',
      { bbox: [0, 0, 20, 10], iscrowd: true },
      0,
      'Annotation 5 of “a.png” is a crowd (iscrowd 1), not one object; left out.',
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
