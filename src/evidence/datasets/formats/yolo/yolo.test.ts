import { describe, expect, it } from 'vitest';
import { datasetItem, folderOfFiles, gathered, listEntries, textOf } from '../../../../../tests/dataset-fixture.ts';
import { DatasetReport } from '../../item/dataset-report.ts';
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

  it('names the images of train for val only where that was asked for, and says so', async () => {
    const exported = async (validatesOnTrain: boolean) => {
      const report = new DatasetReport();
      const options = { datasetName: 'd', report, validatesOnTrain };
      const listed = await listEntries(exportDataset('yolo', [datasetItem({ fileName: 'a.png' })], options));
      const val = /^val: (\S+)/m.exec(await textOf(listed, 'data.yaml'))?.[1];
      return [val, report.problems.map(({ message }) => message)];
    };
    expect(await exported(false)).toEqual([
      undefined,
      ['There are no images to validate with, and training asks for them: split the dataset first.'],
    ]);
    expect(await exported(true)).toEqual([
      'images/train',
      ['“val” names the images of train: scores come from images that were learned.'],
    ]);
  });
});

it.each([
  [['train', 'test'], 'train: images/train\ntest: images/test\n# val is missing: there are no images to validate with\n'],
  [['val', null], 'train: images/train\nval: images/val\n'],
  [['test'], 'test: images/test\n# train is missing: there are no images to train with\n# val is missing: there are no images to validate with\n'],
  [[], '# train is missing: there are no images to train with\n# val is missing: there are no images to validate with\n'],
] as const)('names folders for the splits %j', async (splits, folders) => {
  const items = splits.map((split, i) => datasetItem({ fileName: `${i}.png`, split }));
  const listed = await listEntries(exportDataset('yolo', items, { datasetName: 'd' }));
  expect(await textOf(listed, 'data.yaml')).toBe(`# "d"\n${folders}nc: 0\nnames: {}\n`);
}); // prettier-ignore

it('writes labels as YAML takes them, and numbers without an exponent', async () => {
  const thin = { ...whole, label: 'a\u0085\ufeffb', xMinNormalized: 1e-9, xMaxNormalized: 1.25e-7, confidence: 1e-7 };
  const listed = await listEntries(
    exportDataset('yolo', [datasetItem({ fileName: 'a.png', boxes: [thin] })], { datasetName: 'd' }),
  );
  expect(await textOf(listed, 'labels/train/a.txt')).toBe('0 0.00000006 0.5 0.00000012 1 0.0000001\n');
  expect(await textOf(listed, 'data.yaml')).toContain('nc: 1\nnames:\n  0: "a\\u0085\\ufeffb"\n');
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

  it.each([
    [{ 'a.yaml': 'x: 1' }, 'a.yaml has no “names”'],
    [{ 'a.txt': '' }, 'there is no data.yaml, obj.names or classes.txt'],
  ])('refuses %j', async (files, missing) => {
    await expect(importYolo(files as unknown as Record<string, string>)).rejects.toMatchObject({
      code: 'unknown-format',
      message: `No YOLO dataset: ${missing}.`,
    });
  });

  it.each([
    ['data.yaml before others', { 'a.yml': 'names: [x]', 'sub/Data.yaml': 'names: [cat]' }],
    ['dataset.yml before others', { 'a.yaml': 'names: [x]', 'dataset.yml': 'names: [cat]' }],
    ['a YAML before classes.txt', { 'a.yaml': 'names: [cat]', 'classes.txt': 'x' }],
    ['obj.names before classes.txt', { 'classes.txt': 'x', 'Obj.names': 'cat' }],
    ['classes.txt', { 'x/Classes.txt': ' cat \n\ndog' }],
  ])('takes %s', async (_, files) => {
    const { items } = await importYolo({ ...files, 'a.png': null, 'a.txt': '0 .5 .5 1 1' });
    expect(items).toMatchObject([{ boxes: [{ label: 'cat' }] }]);
  });

  it('counts blank lines of classes.txt as classes without a name', async () => {
    const files = { 'classes.txt': 'cat\n\ndog\n', 'a.png': null, 'a.txt': '2 .5 .5 1 1\n1 .5 .5 1 1' };
    const { items, report } = await importYolo(files);
    expect(items).toMatchObject([{ boxes: [{ label: 'dog' }] }]);
    expect(report.problems).toMatchObject([{ line: 2, message: 'classes.txt has 2 names, and none for class 1.' }]);
  });

  it.each([
    ['beside it', 'x/obj.data', 'x/obj.names'],
    ['at the top', 'obj.data', 'x/obj.names'],
  ])('reads splits of an obj.data %s', async (_, data, names) => {
    const { items, report } = await importYolo({
      [names]: 'cat',
      [data]: 'classes = 1\nvalid = val.txt\nbackup = b\ntrain =\n\n',
      'val.txt': 'a.png\n\nz.png',
      'x/val.txt': 'a.png\n\nz.png',
      'a.png': null,
    });
    expect(items).toMatchObject([{ contentId: 'a.png', split: 'val' }]);
    expect(report.problems).toMatchObject([{ line: 3, message: 'There is no file “z.png”.' }]);
  });

  it.each([
    ['a folder that is not there', 'train: gone', 'train: there is no folder “gone”.'],
    ['a list that is not there', 'val: gone.txt', 'val: There is no file “gone.txt”.'],
  ])('says what is wrong with %s', async (_, line, message) => {
    const { items, report } = await importYolo({ 'data.yaml': `names: [cat]\n${line}`, 'a.png': null });
    expect(items).toHaveLength(1);
    expect(report.problems).toEqual([{ severity: 'error', file: 'data.yaml', line: null, message }]);
  });

  it('lets the name of a folder say which split it is where two splits share it', async () => {
    const yaml = 'names: [cat]\ntrain: images/val\nval: images/val';
    const { items } = await importYolo({ 'data.yaml': yaml, 'images/val/a.png': null });
    expect(items).toMatchObject([{ split: 'val' }]);
  });

  it('gives pictures of folders in folders, not of folders whose names begin alike', async () => {
    const yaml = 'names: [cat]\ntrain: images/t';
    const { items } = await importYolo({ 'data.yaml': yaml, 'images/t/x/a.png': null, 'images/t2/b.png': null });
    expect(items.map(({ contentId }) => contentId)).toEqual(['images/t/x/a.png']);
  });

  it('takes labels in the last folder that is called images, else beside the picture', async () => {
    const { items } = await importYolo({
      'data.yaml': 'names: [cat, dog]',
      'images/x/Images/a.png': null,
      'images/x/labels/a.txt': '1 .5 .5 1 1',
      'labels/x/Images/a.txt': '0 .5 .5 1 1',
      'images/b.png': null,
      'images/b.txt': '1 .5 .5 1 1',
    });
    expect(items.map(({ boxes }) => boxes[0]?.label)).toEqual(['dog', 'dog']);
  });

  it('counts polygons and key points that are lost, classes in their order, and pictures', async () => {
    const { report } = await importYolo({
      'data.yaml': 'names: {1: dog, 0: cat}\nkpt_shape: [1, 2]',
      'images/a.png': null,
      'labels/a.txt': '0 .1 .2 .5 .2 .3 .8 .1 .1\n1 .5 .5 1 1 .5 .5\n\n',
      'images/b.png': null,
    });
    expect(report.lost).toEqual([{ kind: 'polygons', count: 1 }, { kind: 'keyPoints', count: 2 }]); // prettier-ignore
    expect(report.classes.map(({ label }) => label)).toEqual(['cat', 'dog']);
    expect(report.problems.map(({ message }) => message)).toEqual(['1 polygons became the boxes around them.']);
    expect(report.expectedImages).toBe(2);
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
    ['0 0,5 0.5 1 1', 'Column 2 is not a number, but “0,5”.'],
    ['cat .5 .5 1 1', 'Column 1 is not a number, but “cat”.'],
    ['-1 .5 .5 1 1', 'The class is not a whole number from 0, but -1.'],
    ['0.5 .5 .5 1 1', 'The class is not a whole number from 0, but 0.5.'],
    ['7 .5 .5 1 1', 'data.yaml has 1 names, and none for class 7.'],
    ['0 .5 .5 -1 1', 'The box is -1 wide and 1 high; neither can be below 0.'],
    ['0 320 240 640 480', 'The box “cat” lies outside the picture (0, 0, 640, 480, of 0 to 1).'],
    ['0 nan .5 1 1', 'Column 2 is not a number, but “nan”.'],
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
