import { describe, expect, it } from 'vitest';
import { datasetItem, folderOfFiles, listEntries, textOf } from '../../../../../tests/dataset-fixture.ts';
import type { DatasetItem } from '../../item/dataset-item.ts';
import { DatasetReport } from '../../item/dataset-report.ts';
import { exportDataset } from '../../export-dataset.ts';

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
  it('knows an annotation again by the id of its box, wherever that lies, and by its place without one', async () => {
    const idOf = async (changes: object) => {
      const item = datasetItem({ fileName: 'a.png', boxes: [{ ...box('dog'), ...changes }] });
      return (await exported([item])).instances.annotations[0]!.id;
    };
    const moved = { xMinNormalized: 0.3 };
    expect(await idOf({ id: 'b1', ...moved })).toBe(await idOf({ id: 'b1' }));
    expect(await idOf({ id: 'b2' })).not.toBe(await idOf({ id: 'b1' }));
    expect(await idOf({})).toBe(await idOf({}));
    expect(await idOf(moved)).not.toBe(await idOf({}));
  });

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
