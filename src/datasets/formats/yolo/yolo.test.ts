import { describe, expect, it } from 'vitest';
import { datasetItem, folderOfFiles, gathered, listEntries, textOf } from '../../../../tests/dataset-fixture.ts';
import { DatasetReport } from '../../dataset-report.ts';
import { exportDataset } from '../../export-dataset.ts';
import { importDataset } from '../../import-dataset.ts';

async function importYolo(files: Readonly<Record<string, string | null>>) {
  const report = new DatasetReport();
  return { items: await gathered(importDataset(folderOfFiles(files), { report, format: 'yolo' })), report };
}

const whole = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };

describe('exporting YOLO', () => {
  it('writes data.yaml, pictures and labels by split, confidences as sixth column, empty files for background', async () => {
    const listed = await listEntries(
      exportDataset(
        'yolo',
        [
          datasetItem({
            fileName: 'a.png',
            split: 'train',
            boxes: [{ ...whole, label: 'traffic "light"', xMaxNormalized: 0.5, confidence: 0.25 }],
          }),
          datasetItem({ fileName: 'a.jpg', split: 'val', boxes: [{ ...whole, label: 'cat' }] }),
          datasetItem({ fileName: 'b.png', split: 'val' }),
        ],
        { datasetName: 'pets' },
      ),
    );
    expect(listed.map(({ path }) => path.replace(/-[0-9a-f]{8}/, '-HASH'))).toEqual([
      'images/train/a.png',
      'images/val/a-HASH.jpg',
      'images/val/b.png',
      'labels/train/a.txt',
      'labels/val/a-HASH.txt',
      'labels/val/b.txt',
      'data.yaml',
    ]);
    expect(await textOf(listed, 'labels/train/a.txt')).toBe('1 0.25 0.5 0.5 1 0.25\n');
    expect(await textOf(listed, 'labels/val/b.txt')).toBe('');
    expect(await textOf(listed, 'data.yaml')).toBe(
      '# "pets"\ntrain: images/train\nval: images/val\nnc: 2\nnames:\n  0: "cat"\n  1: "traffic \\"light\\""\n',
    );
  });

  it('names a folder for both splits that training needs', async () => {
    const listed = await listEntries(exportDataset('yolo', [datasetItem({ fileName: 'a.png' })], { datasetName: 'd' }));
    expect(await textOf(listed, 'data.yaml')).toBe(
      '# "d"\ntrain: images/train\nval: images/train # there is no val split\nnc: 0\nnames: {}\n',
    );
  });
});

describe('importing YOLO', () => {
  it.each([
    ['names as a list', 'names: [cat, "traffic light"]', 'traffic light'],
    ['names as a map', 'names:\n  0: cat\n  1: traffic light\nnc: 2', 'traffic light'],
    ['names that YAML reads as words and numbers', 'names: [no, 7]', '7'],
    ['a byte order mark and CRLF', '\ufeffnames:\r\n  - cat\r\n  - dog\r\n', 'dog'],
  ])('reads %s', async (_, yaml, label) => {
    const { items } = await importYolo({ 'data.yaml': yaml, 'images/a.PNG': null, 'labels/a.txt': '1 .5 .5 1 1\r\n' });
    expect(items).toMatchObject([{ boxes: [{ label, xMinNormalized: 0, yMaxNormalized: 1 }] }]);
  });

  it.each([
    ['from the file itself', 'train: images/train\nval: images/val', ['images/train/a.png', 'images/val/b.png']],
    [
      'from `path`, as the training machine saw it',
      'path: /content/datasets/pets\ntrain: images/train\nval: images/val',
      ['images/train/a.png', 'images/val/b.png'],
    ],
    [
      'as Roboflow writes them',
      'train: ../train/images\nval: ../valid/images',
      ['train/images/a.png', 'valid/images/b.png'],
    ],
    [
      'with a list of folders',
      'train: [x/images, y/images]\nval: valid/images',
      ['x/images/a.png', 'valid/images/b.png'],
    ],
    ['in a folder of their own', 'train: train\nval: val', ['train/a.png', 'val/b.png']],
  ])('finds splits %s', async (_, yaml, [a, b]) => {
    const { items, report } = await importYolo({
      'data.yaml': `names: [cat]\n${yaml}`,
      [a!]: null,
      [b!]: null,
      'y/images/y.png': null,
      'runs/plot.png': null,
    });
    const splits = Object.fromEntries(items.map(({ contentId, split }) => [contentId, split]));
    expect(splits).toMatchObject({ [a!]: 'train', [b!]: 'val' });
    expect(splits).not.toHaveProperty('runs/plot.png');
    expect(report.errorCount).toBe(0);
  });

  it('finds splits by lists of pictures', async () => {
    const { items, report } = await importYolo({
      'data.yaml': 'names: [cat]\ntrain: train.txt',
      'train.txt': './images/a.png\n/data/images/gone.png\n',
      'images/a.png': null,
      'images/unlisted.png': null,
      'labels/a.txt': '0 .5 .5 1 1',
    });
    expect(items).toMatchObject([{ contentId: 'images/a.png', split: 'train', boxes: [{ label: 'cat' }] }]);
    expect(report.problems).toMatchObject([
      { file: 'train.txt', line: 2, message: 'There is no file “/data/images/gone.png”.' },
      { file: 'images/unlisted.png', severity: 'note', message: expect.stringContaining('in no annotation') as string },
    ]);
  });

  it('reads YOLO 1.1: obj.names, obj.data, labels beside pictures', async () => {
    const { items } = await importYolo({
      'obj.data': 'classes = 2\ntrain = data/train.txt\nnames = data/obj.names\nbackup = backup/',
      'obj.names': 'cat\ntraffic light\n',
      'train.txt': 'data/obj_train_data/a.png\n',
      'obj_train_data/a.png': null,
      'obj_train_data/a.txt': '1 0.5 0.5 0.5 0.5\n',
    });
    expect(items).toMatchObject([{ split: 'train', boxes: [{ label: 'traffic light', xMinNormalized: 0.25 }] }]);
  });

  it('keeps pictures of one stem in different folders apart', async () => {
    const { items } = await importYolo({
      'data.yaml': 'names: [cat, dog]',
      'images/x/a.png': null,
      'images/y/a.png': null,
      'labels/x/a.txt': '0 .5 .5 1 1',
      'labels/y/a.txt': '1 .5 .5 1 1',
    });
    expect(items.map(({ contentId, boxes }) => [contentId, boxes[0]!.label])).toEqual([['images/x/a.png', 'cat'], ['images/y/a.png', 'dog']]); // prettier-ignore
  });

  it.each([
    ['0 0.5 0.5 1', 'A box has 5 columns (class, x, y, width, height) or 6 with a confidence, not 4.'],
    ['0 0,5 0.5 1 1', 'Column 2 is no number, but “0,5”.'],
    ['cat .5 .5 1 1', 'Column 1 is no number, but “cat”.'],
    ['-1 .5 .5 1 1', 'The class is no whole number from 0, but -1.'],
    ['0.5 .5 .5 1 1', 'The class is no whole number from 0, but 0.5.'],
    ['7 .5 .5 1 1', 'data.yaml has 1 names, and none for class 7.'],
    ['0 .5 .5 -1 1', 'The box is -1 wide and 1 high; neither can be below 0.'],
    ['0 320 240 640 480', 'The box “cat” lies outside the picture (0, 0, 640, 480, of 0 to 1).'],
    ['0 nan .5 1 1', 'Column 2 is no number, but “nan”.'],
  ])('reports the line %j and imports the others', async (line, message) => {
    const { items, report } = await importYolo({
      'data.yaml': 'names: [cat]',
      'images/a.png': null,
      'labels/a.txt': `0 .5 .5 1 1\n\n${line}\n0 .5 .5 .5 .5`,
    });
    if (line.startsWith('0 320')) expect(report.problems).toMatchObject([{ severity: 'note' }]);
    else {
      expect(items[0]!.boxes).toHaveLength(2);
      expect(report.problems).toEqual([{ severity: 'error', file: 'labels/a.txt', line: 3, message }]);
    }
  });

  it.each([
    ['a confidence', '0 .5 .5 1 1 .75', { xMinNormalized: 0, confidence: 0.75 }, ''],
    [
      'a polygon',
      '0 .1 .2 .5 .2 .3 .8',
      { xMinNormalized: 0.1, yMinNormalized: 0.2, xMaxNormalized: 0.5, yMaxNormalized: 0.8 },
      '',
    ],
    [
      'an oriented box',
      '0 .1 .5 .5 .1 .9 .5 .5 .9',
      { xMinNormalized: 0.1, yMinNormalized: 0.1, xMaxNormalized: 0.9, yMaxNormalized: 0.9 },
      '',
    ],
    ['a polygon with a confidence', '0 .1 .2 .5 .2 .3 .8 .75', { yMaxNormalized: 0.8, confidence: 0.75 }, ''],
    [
      'key points',
      '0 .5 .5 .5 .5 .9 .9 2 .1 .1 2',
      { xMinNormalized: 0.25, xMaxNormalized: 0.75 },
      '\nkpt_shape: [2, 3]',
    ],
    ['a box over the edge', '0 .5 .5 1.2 1', { xMinNormalized: 0, xMaxNormalized: 1 }, ''],
  ])('takes %s', async (_, line, box, more) => {
    const { items } = await importYolo({
      'data.yaml': `names: [cat]${more}`,
      'images/a.png': null,
      'labels/a.txt': line,
    });
    expect(items).toMatchObject([{ boxes: [box] }]);
  });
});
