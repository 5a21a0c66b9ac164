import { describe, expect, it } from 'vitest';
import {
  datasetItem,
  folderOfFiles,
  gathered,
  listedFile,
  listEntries,
  textOf,
} from '../../../../../tests/dataset-fixture.ts';
import { DatasetReport } from '../../item/dataset-report.ts';
import { exportDataset } from '../../export-dataset.ts';
import { detectFormats, importDataset } from '../../import-dataset.ts';

/** A line as `viam dataset export` writes it. */
const machineLine = {
  image_path: '/home/me/export/data/2024-05-01T12_34_56.789Z_cam.jpg',
  classification_annotations: [{ annotation_label: 'indoors' }],
  bounding_box_annotations: [
    {
      id: 'b1',
      annotation_label: 'dog',
      x_min_normalized: 0.1,
      x_max_normalized: 0.4,
      y_min_normalized: 0.2,
      y_max_normalized: 0.6,
    },
  ],
  binary_data_id: 'org/loc/file',
  timestamp: '2024-05-01 12:34:56.789 +0000 UTC',
  robot_id: 'robot',
  part_id: 'part',
  component_name: 'cam',
  organization_id: 'org',
  location_id: 'loc',
};
const imageName = 'data/2024-05-01T12_34_56.789Z_cam.jpg';

async function importLines(
  lines: readonly (object | string)[],
  images: readonly string[] = ['a.png', 'b.png', 'c.png'],
) {
  const report = new DatasetReport();
  const text = lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
  const listed = [
    listedFile('dataset.jsonl', text),
    ...folderOfFiles(Object.fromEntries(images.map((path) => [path, null]))),
  ];
  const items = await gathered(importDataset(listed, { report })).catch((error: Error) => error.message);
  return { items, report };
}

describe('importing Viam JSONL', () => {
  it('reads what the machine exports; labels of the whole picture are its tags', async () => {
    const { items, report } = await importLines([machineLine], [imageName]);
    expect(items).toMatchObject([
      {
        contentId: 'org/loc/file',
        fileName: '2024-05-01T12_34_56.789Z_cam.jpg',
        boxes: [
          {
            id: 'b1',
            label: 'dog',
            xMinNormalized: 0.1,
            xMaxNormalized: 0.4,
            yMinNormalized: 0.2,
            yMaxNormalized: 0.6,
          },
        ],
        tags: ['indoors'],
        classifications: [],
        capturedAt: '2024-05-01T12:34:56.789Z',
        origin: {
          binaryDataId: 'org/loc/file',
          organizationId: 'org',
          locationId: 'loc',
          robotId: 'robot',
          partId: 'part',
          componentName: 'cam',
        },
      },
    ]);
    expect(report.problems).toEqual([]);
  });

  it.each([
    ['the slashes of Windows', 'data\\a.png', ['data/a.png']],
    ['a folder around everything', 'data/a.png', ['mine/data/a.png']],
    ['another case', 'DATA/A.PNG', ['data/a.png']],
    ['decomposed letters', 'data/a\u0308.png', ['data/\u00e4.png']],
    ['a path above', '../data/a.png', ['data/a.png']],
  ])('finds a picture through %s', async (_, path, images) => {
    const { items, report } = await importLines([{ image_path: path }], images);
    expect(items).toMatchObject([{ content: { path: images[0] } }]);
    expect(report.problems).toEqual([]);
  });

  it('takes a picture of that name in another folder, and says so', async () => {
    const { report } = await importLines([{ image_path: '/gcs/bucket/a.png' }], ['data/a.png']);
    expect(report.problems).toEqual([
      {
        severity: 'note',
        file: 'dataset.jsonl',
        line: 1,
        message: '“/gcs/bucket/a.png” is not there; data/a.png was taken for it.',
      },
    ]);
  });

  it.each([
    [
      ['{"image_path": "a.png"', { image_path: 'b.png' }],
      1,
      /^The line is not JSON \(.*\): “\{"image_path": "a\.png"”\.$/,
    ],
    [[{ image_path: 'b.png' }, '', '[1]'], 3, 'The line is not a JSON object, but [1].'],
    [[{ image_path: 'b.png' }, { image_path: 7 }], 2, '“image_path” is not a path, but 7.'],
    [[{ image_path: 'b.png' }, { image_path: 'x.png' }], 2, 'There is no file “x.png”.'],
    [
      [{ image_path: 'b.png' }, { image_path: 'b.png' }],
      2,
      'b.png has been imported already, from dataset.jsonl, line 1.',
    ],
    [
      [
        {
          image_path: 'b.png',
          bounding_box_annotations: [
            {
              annotation_label: 'dog',
              x_min_normalized: '0',
              y_min_normalized: 0,
              x_max_normalized: 1,
              y_max_normalized: 1,
            },
          ],
        },
      ],
      1,
      'The box “dog” has no number as x min, but “0”.',
    ],
    [
      [{ image_path: 'b.png', bounding_box_annotations: [{ annotation_label: ' ' }] }],
      1,
      'The box has no label, but “ ”.',
    ],
    [[{ image_path: 'b.png', bounding_box_annotations: [7] }], 1, 'The box has no label, but undefined.'],
    [[{ image_path: 'b.png', classification_annotations: [7] }], 1, 'A classification has no label, but undefined.'],
    [[{ image_path: 'b.png', classification_annotations: [{}] }], 1, 'A classification has no label, but undefined.'],
  ])('reports a bad line with its number and value, and imports the rest: %j', async (lines, number, message) => {
    const { items, report } = await importLines(lines);
    expect(items).toMatchObject([{ fileName: 'b.png', boxes: [] }]);
    expect(report.problems.filter(({ severity }) => severity === 'error')).toEqual([
      {
        severity: 'error',
        file: 'dataset.jsonl',
        line: number,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      },
    ]);
  });

  it.each<[string, object, object]>([
    ['a plain label, a tag', { classification_annotations: [{ annotation_label: 'x' }] }, { tags: ['x'], classifications: [] }],
    ['a plain label that `tags` lists', { tags: ['x', 7], classification_annotations: [{ annotation_label: 'x' }] }, { tags: ['x'], classifications: [] }],
    ['a plain label that `tags` does not list', { tags: [], classification_annotations: [{ annotation_label: 'x' }] }, { tags: [], classifications: [{ label: 'x' }] }],
    ['a label with a confidence', { classification_annotations: [{ annotation_label: 'x', confidence: 0.5 }] }, { tags: [], classifications: [{ label: 'x', confidence: 0.5 }] }],
    ['a label with an id', { classification_annotations: [{ annotation_label: 'x', id: 'c1' }] }, { tags: [], classifications: [{ label: 'x', id: 'c1' }] }],
    ['a label with an empty id', { classification_annotations: [{ annotation_label: 'x', id: '' }] }, { tags: [], classifications: [{ label: 'x' }] }],
    ['a label with an id that is no text', { classification_annotations: [{ annotation_label: 'x', id: 7 }] }, { tags: [], classifications: [{ label: 'x' }] }],
    ['no binary data id', { binary_data_id: '', part_id: 7 }, { contentId: 'a.png', origin: {} }],
    ['a split', { split: 'Valid' }, { split: 'val', capturedAt: null, sizePx: null }],
  ])('reads %s', async (_, fields, expected) => {
    const { items } = await importLines([{ image_path: 'a.png', ...fields }]);
    const [item] = items as readonly object[];
    for (const [name, value] of Object.entries(expected)) expect(item).toHaveProperty(name, value);
  }); // prettier-ignore

  it('says of a classification what its confidence is not', async () => {
    const { report } = await importLines([
      { image_path: 'a.png', classification_annotations: [{ annotation_label: 'x', confidence: 2 }] },
    ]);
    expect(report.problems[0]).toMatchObject({
      message: 'The classification “x” has a confidence of 2, not of 0 to 1; left out.',
    });
  });

  it('starts from dataset.jsonl before others, and reads all of them', async () => {
    const files = folderOfFiles({
      'a.jsonl': JSON.stringify({ image_path: 'a.png' }),
      'x/Dataset.jsonl': JSON.stringify({ image_path: 'b.png' }),
      'a.png': null,
      'b.png': null,
    });
    expect((await detectFormats(files)).found[0]).toEqual({ format: 'viam-jsonl', startPath: 'x/Dataset.jsonl' });
    const items = await gathered(importDataset(files));
    expect(items.map(({ fileName }) => fileName)).toEqual(['b.png', 'a.png']);
  });

  it('passes over a line that is too long, with its number', async () => {
    const long = JSON.stringify({ image_path: 'x'.repeat(16 * 1024 * 1024) });
    const { items, report } = await importLines([{ image_path: 'a.png' }, long, { image_path: 'b.png' }]);
    expect(items).toMatchObject([{ fileName: 'a.png' }, { fileName: 'b.png' }]);
    expect(report.problems).toMatchObject([
      { severity: 'error', file: 'dataset.jsonl', line: 2, message: 'The line is longer than 16 MB.' },
      { severity: 'note' },
    ]);
  });

  it('does not guess between pictures of one name', async () => {
    const { items, report } = await importLines([{ image_path: 'a.png' }], ['x/a.png', 'y/a.png']);
    expect(items).toContain('nothing could be imported');
    expect(report.problems[0]!.message).toBe(
      '“a.png” may be x/a.png or y/a.png: keep one, or write the folder before the name.',
    );
  });

  it.each(['utf-16le', 'utf-16be', 'utf-8 with mark'])('reads %s with CRLF', async (encoding) => {
    const text = `\ufeff${JSON.stringify({ image_path: 'ä.png', tags: ['ü'] })}\r\n${JSON.stringify({ image_path: 'b.png' })}\r\n`;
    const units = [...text].flatMap((letter) => [letter.charCodeAt(0) & 255, letter.charCodeAt(0) >> 8]);
    const swapped = units.map((_, i) => units[i ^ 1]!);
    const bytes =
      encoding === 'utf-16le' ? Uint8Array.from(units) : encoding === 'utf-16be' ? Uint8Array.from(swapped) : text;
    const files = [listedFile('dataset.jsonl', bytes), ...folderOfFiles({ 'ä.png': null, 'b.png': null })];
    expect(await gathered(importDataset(files, { format: 'viam-jsonl' }))).toMatchObject([
      { tags: ['ü'] },
      { fileName: 'b.png' },
    ]);
  });
});

describe('exporting Viam JSONL', () => {
  it('writes the fields that the machine writes, tags among the classifications, membership left out', async () => {
    const { image_path: _, ...fields } = machineLine;
    const listed = await listEntries(
      exportDataset(
        'viam-jsonl',
        [
          datasetItem({
            fileName: 'cam.jpg',
            boxes: [
              {
                id: 'b1',
                label: 'dog',
                xMinNormalized: 0.1,
                xMaxNormalized: 0.4,
                yMinNormalized: 0.2,
                yMaxNormalized: 0.6,
              },
            ],
            tags: ['indoors', 'SVC_DATASET_66f'],
            capturedAt: '2024-05-01T12:34:56.789Z',
            origin: {
              binaryDataId: 'org/loc/file',
              organizationId: 'org',
              locationId: 'loc',
              robotId: 'robot',
              partId: 'part',
              componentName: 'cam',
            },
          }),
          datasetItem({ fileName: 'empty.jpg' }),
        ],
        { datasetName: 'd' },
      ),
    );
    expect(listed.map(({ path }) => path)).toEqual(['data/cam.jpg', 'data/empty.jpg', 'dataset.jsonl']);
    const lines = (await textOf(listed, 'dataset.jsonl'))
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one) as object);
    expect(lines[0]).toEqual({ ...fields, image_path: 'data/cam.jpg', tags: ['indoors'] });
    expect(lines[1]).toMatchObject({ bounding_box_annotations: [], classification_annotations: [], timestamp: '' });
  });
});
