import { describe, expect, it } from 'vitest';
import { folderOfFiles, gathered, listedFile } from '../../../tests/dataset-fixture.ts';
import { DatasetReport } from './item/dataset-report.ts';
import { detectFormats, importDataset } from './import-dataset.ts';

const line = (path: string) => JSON.stringify({ image_path: path, bounding_box_annotations: [] });
const coco = JSON.stringify({ images: [{ id: 1, file_name: 'a.png' }], annotations: [], categories: [] });
const voc = '<annotation><filename>a.png</filename></annotation>';

describe('detectFormats', () => {
  it.each([
    ['viam-jsonl', { 'x/dataset.jsonl': line('a.png'), 'x/a.png': null }, 'x/dataset.jsonl'],
    ['viam-jsonl', { 'mine.NDJSON': `\n\n${line('a.png')}`, 'a.png': null }, 'mine.NDJSON'],
    [
      'coco',
      { 'annotations/instances_val2017.json': coco, 'annotations/captions_val2017.json': coco },
      'annotations/instances_val2017.json',
    ],
    ['coco', { 'train/_annotations.coco.json': `\ufeff${coco}` }, 'train/_annotations.coco.json'],
    ['yolo', { 'other.yaml': 'a: 1', 'data.yaml': 'names: [a]' }, 'data.yaml'],
    ['yolo', { 'obj.names': 'a', 'obj.data': 'names = data/obj.names' }, 'obj.names'],
    ['yolo', { 'labels/classes.txt': 'a\nb' }, 'labels/classes.txt'],
    ['mot', { 'x/gt/gt.txt': '1,1,2,3,4,5', 'gt.txt': '' }, 'x/gt/gt.txt'],
    ['cvat-video', { 'a.xml': '<annotations><meta/><track id="0"/></annotations>' }, 'a.xml'],
    ['cvat', { 'a.xml': '<annotations><image/><track id="0"/></annotations>' }, 'a.xml'],
    ['pascal-voc', { 'pom.xml': '<project/>', 'a.XML': voc }, 'a.XML'],
  ])('tells %s from the listing', async (format, files, startPath) => {
    const { found, missing } = await detectFormats(folderOfFiles(files));
    expect(found).toEqual([{ format, startPath }]);
    expect(missing).toHaveLength(10);
  });
});

describe('an import of nothing says why', () => {
  it.each([
    ['no files', {}, 'unknown-format', 'There are no files in it.'],
    [
      'no annotations',
      { 'a.png': null, 'b.png': null, 'notes.docx': 'x' },
      'unknown-format',
      'Among 3 files (2 .png, 1 .docx) none starts a dataset. Viam JSONL: there is no .jsonl file; COCO: there is no .json file; MOT: there is no gt/gt.txt; YOLO (Ultralytics): there is no data.yaml, obj.names or classes.txt; CVAT for video: there is no .xml file with <annotations> of tracks; Pascal VOC: there is no .xml file. Nor is it Label Studio, LabelMe, CVAT for images, CSV of boxes, Folders of classes.',
    ],
    [
      'files of those kinds with something else in them',
      { 'a.jsonl': '{"text":"hi"}', 'package.json': '{"name":"x"}', 'ci.yml': 'on: push', 'pom.xml': '<project/>' },
      'unknown-format',
      /a\.jsonl has no “image_path” but starts with “\{"text":"hi"\}”; COCO: package\.json has neither “images” nor “annotations” of them; .*YOLO \(Ultralytics\): ci\.yml has no “names”; .*Pascal VOC: pom\.xml has no <annotation>\. Nor is it /,
    ],
    [
      'pictures that are not there',
      { 'dataset.jsonl': `${line('data/a.png')}\n${line('data/b.png')}\n` },
      'nothing-imported',
      'Read as Viam JSONL, nothing could be imported: dataset.jsonl, line 1: There is no file “data/a.png”. (the first of 2 problems)',
    ],
    ['a broken JSON', { 'a.json': '{"images": [' }, 'unreadable-file', /^a\.json cannot be read as COCO: .*JSON/],
    [
      'a COCO without pictures',
      { 'a.json': '{"images":[],"annotations":[]}' },
      'nothing-imported',
      'Read as COCO, nothing could be imported: it lists no pictures',
    ],
    [
      'a broken YAML',
      { 'data.yaml': 'names: [a\nb: {' },
      'unknown-format',
      /YOLO \(Ultralytics\): data\.yaml cannot be read: .* at line 2/,
    ],
    [
      'an XML that breaks off',
      { 'a.xml': '<annotation><object>', 'a.png': null },
      'nothing-imported',
      /a\.xml: The file cannot be read: .*unclosed tag/,
    ],
  ])('%s', async (_, files, code, message) => {
    await expect(gathered(importDataset(folderOfFiles(files)))).rejects.toMatchObject({
      name: 'DatasetError',
      code,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  it('says what is wrong with a YAML to somebody who insists on YOLO', async () => {
    const files = folderOfFiles({ 'data.yaml': 'names: dog', 'a.png': null });
    await expect(gathered(importDataset(files, { format: 'yolo' }))).rejects.toMatchObject({
      code: 'unreadable-file',
      message: 'data.yaml cannot be read: “names” is neither a list nor a map, but “dog”',
    });
  });
});

it('leaves out an empty file, and tells of pictures that no annotation names', async () => {
  const report = new DatasetReport();
  const files = folderOfFiles({
    'dataset.jsonl': ['a.png', 'b.png'].map(line).join('\n'),
    'a.png': new Uint8Array(0),
    'b.png': null,
    'c.png': null,
    'd.JPG': null,
  });
  expect((await gathered(importDataset(files, { report }))).map(({ fileName }) => fileName)).toEqual(['b.png']);
  expect(report.problems).toMatchObject([
    { severity: 'error', file: 'a.png', message: 'The picture is empty: its file has 0 bytes.' },
    { severity: 'note', file: 'c.png', message: expect.stringMatching(/^This picture and 1 more are in no/) as string },
  ]);
});

it('counts what it imports, and says of one picture that it is left out', async () => {
  const report = new DatasetReport();
  const box = {
    annotation_label: 'a',
    x_min_normalized: 0,
    y_min_normalized: 0,
    x_max_normalized: 1,
    y_max_normalized: 1,
  };
  const two = JSON.stringify({ image_path: 'a.png', bounding_box_annotations: [box, box] });
  const files = folderOfFiles({
    'dataset.jsonl': `${two}\n${line('b.png')}`,
    'a.png': null,
    'b.png': null,
    'c.png': null,
  });
  await gathered(importDataset(files, { report }));
  expect([report.imageCount, report.boxCount, report.errorCount, report.noteCount]).toEqual([2, 2, 0, 1]);
  expect(report.problems[0]!.message).toBe('This picture is in no annotation that was imported; left out.');
});

it('says what kinds of files there are, the five commonest first', async () => {
  const names = ['a.c', 'b.c', 'a.a', 'a.b', 'b.b', 'c.b', 'README', 'a.d', 'a.e'];
  const files = folderOfFiles(Object.fromEntries(names.map((name) => [name, 'x'])));
  await expect(gathered(importDataset(files))).rejects.toMatchObject({
    code: 'unknown-format',
    message: expect.stringContaining('Among 9 files (3 .b, 2 .c, 1 .a, 1 without extension, 1 .d) none') as string,
  });
});

it('says that a format is known which is not read', async () => {
  const files = folderOfFiles({ 'a.parquet': 'x' });
  await expect(gathered(importDataset(files))).rejects.toMatchObject({ code: 'unknown-format' });
});

it('does not count one problem as the first of several', async () => {
  const files = folderOfFiles({ 'dataset.jsonl': line('a.png') });
  await expect(gathered(importDataset(files))).rejects.toThrow(/There is no file “a\.png”\.$/);
});

describe('paths of a listing', () => {
  it('leaves out what leads out of the dataset, is listed twice or belongs to the system, and imports the rest', async () => {
    const report = new DatasetReport();
    const files = [
      listedFile('../dataset.jsonl', line('a.png')),
      listedFile('/etc/a.png', ''),
      listedFile('C:\\data\\a.png', ''),
      listedFile('x/../../a.png', ''),
      listedFile('__MACOSX/._a.png', ''),
      listedFile('data\\.DS_Store', ''),
      listedFile('dataset.jsonl', `${line('data/a.png')}\r\n`),
      listedFile('data\\a.png', 'first'),
      listedFile('data/a.png', 'second'),
    ];
    const [item] = await gathered(importDataset(files, { report }));
    expect(item).toMatchObject({ contentId: 'data/a.png', content: { sizeBytes: 5 } });
    expect(report.problems.map(({ file }) => file)).toEqual([
      '../dataset.jsonl',
      '/etc/a.png',
      'C:\\data\\a.png',
      'x/../../a.png',
      'data/a.png',
    ]);
  });

  it('reads no picture before somebody asks for it', async () => {
    const image = {
      path: 'a.png',
      sizeBytes: 1,
      read: () => {
        throw new Error('read');
      },
    };
    const [item] = await gathered(importDataset([image, listedFile('dataset.jsonl', line('a.png'))]));
    expect(item!.fileName).toBe('a.png');
  });
});
