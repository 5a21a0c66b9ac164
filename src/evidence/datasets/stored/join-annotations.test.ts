import { describe, expect, it } from 'vitest';
import { folderOfFiles, gathered, pngHeader } from '../../../../tests/dataset-fixture.ts';
import type { ImportFormat } from '../dataset-formats.ts';
import { DatasetReport } from '../item/dataset-report.ts';
import { importDataset } from '../import-dataset.ts';
import { StoredFile } from './stored-file.ts';
import { StoredIndex } from './stored-index.ts';

const storedImage = (fileName: string, id = `id of ${fileName}`, orientation = 1) =>
  new StoredFile({ id, fileName, sizeBytes: 1, boxCount: 0 }, async () => pngHeader(100, 50, orientation));

/** Imports annotation files without pictures, and matches them with stored images. */
async function join(files: Readonly<Record<string, string>>, stored: readonly StoredFile[], format?: ImportFormat) {
  const report = new DatasetReport();
  const index = new StoredIndex(stored);
  const options = { report, stored: index, ...(format && { format }) };
  const items = await gathered(importDataset(folderOfFiles(files), options));
  return {
    report,
    tally: index.tally(),
    found: items.map(({ content, boxes }) => [
      (content as StoredFile).id,
      ...boxes.map(({ label, xMinNormalized: x, yMinNormalized: y, ...box }) =>
        [label, ...[x, y, box.xMaxNormalized, box.yMaxNormalized].map((part) => Number(part.toFixed(6)))].join(' '),
      ),
    ]),
  };
}

const cocoText = JSON.stringify({
  images: [{ id: 1, file_name: 'images/cat.png', width: 100, height: 50 }],
  annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [10, 5, 40, 20] }],
  categories: [{ id: 1, name: 'cat' }],
});
const jsonl = JSON.stringify({
  image_path: 'data/cat.png',
  bounding_box_annotations: [
    {
      annotation_label: 'cat',
      x_min_normalized: 0.1,
      y_min_normalized: 0.1,
      x_max_normalized: 0.5,
      y_max_normalized: 0.5,
    },
  ],
});
const labelStudio = JSON.stringify([
  {
    data: { image: '/data/upload/1/1a2b3c4d-cat.png' },
    annotations: [
      { result: [{ from_name: 'label', value: { x: 10, y: 10, width: 40, height: 40, rectanglelabels: ['cat'] } }] },
    ],
  },
]);
const labelMe = (more: object) =>
  JSON.stringify({
    imageWidth: 100,
    imageHeight: 50,
    imageData: null,
    ...more,
    shapes: [{ label: 'cat', shape_type: 'rectangle', points: [[10, 5], [50, 25]] }], // prettier-ignore
  });
const voc = (fileName: string) =>
  `<annotation>${fileName && `<filename>${fileName}</filename>`}<object><name>cat</name><bndbox>` +
  '<xmin>11</xmin><ymin>6</ymin><xmax>50</xmax><ymax>25</ymax></bndbox></object></annotation>';
const cvat =
  '<annotations><image id="0" name="cat.png" width="100" height="50">' +
  '<box label="cat" xtl="10" ytl="5" xbr="50" ybr="25"/></image></annotations>';

describe('annotations without pictures find their stored image', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['COCO', { 'instances.json': cocoText }],
    ['Viam JSONL', { 'dataset.jsonl': jsonl }],
    ['YOLO', { 'cat.txt': '0 0.3 0.3 0.4 0.4', 'classes.txt': 'cat' }],
    [
      'YOLO with its lists',
      { 'labels/val/cat.txt': '0 0.3 0.3 0.4 0.4', 'data.yaml': 'names: [cat]\nval: images/val' },
    ],
    ['Label Studio', { 'tasks.json': labelStudio }],
    ['LabelMe', { 'a.json': labelMe({ imagePath: '..\\pictures\\cat.png' }) }],
    ['LabelMe by its own name', { 'cat.json': labelMe({}) }],
    ['Pascal VOC', { 'a.xml': voc('cat.png') }],
    ['Pascal VOC by its own name', { 'cat.xml': voc('') }],
    ['CVAT', { 'annotations.xml': cvat }],
    ['CSV', { 'boxes.csv': 'filename,class,xmin,ymin,xmax,ymax\ncat.png,cat,10,5,50,25' }],
    ['CSV without endings', { 'boxes.csv': 'image_id,label,x,y,w,h\ncat,cat,10,5,40,20' }],
  ])('%s', async (_, files) => {
    const { found, report } = await join(files, [storedImage('dog.png'), storedImage('2024/Cat.png')]);
    expect(found).toEqual([['id of 2024/Cat.png', 'cat 0.1 0.1 0.5 0.5']]);
    expect(report.errorCount).toBe(0);
  });
});

it('tells which match by what, which do not, and which may be several', async () => {
  const names = ['cat.png', 'dog.JPG', 'a_png.rf.0f1e2d.jpg', 'cup.png', 'none.png', 'twice.png'];
  const files = {
    'instances.json': JSON.stringify({
      images: names.map((file_name, id) => ({ id, file_name, ...(id === 3 && { content_id: 'org/7' }) })),
      annotations: [],
      categories: [],
    }),
  };
  const stored = [
    ...['cat.png', 'dog.png', 'a.png'].map((name) => storedImage(name)),
    storedImage('other.png', 'org/7'),
    storedImage('x/twice.png', '1'),
    storedImage('y/twice.png', '2'),
  ];
  const { found, tally, report } = await join(files, stored);
  expect(found.flat()).toEqual(['id of cat.png', 'id of dog.png', 'id of a.png', 'org/7']);
  expect(tally).toEqual({
    matched: { id: 1, hash: 0, name: 1, likeName: 2 },
    unmatched: ['none.png'],
    ambiguous: [{ name: 'twice.png', count: 2 }],
  });
  expect(report.problems.map(({ message }) => message)).toEqual([
    '“dog.JPG” is not there; dog.png was taken for it.',
    '“a_png.rf.0f1e2d.jpg” is not there; a.png was taken for it.',
    'No stored image is called “none.png”.',
    '2 stored images may be meant by “twice.png”.',
  ]);
});

it('decides between images of one name by the folders that the annotation gives', async () => {
  const files = { 'dataset.jsonl': JSON.stringify({ image_path: '/home/me/set/left/1.png' }) };
  const { found } = await join(files, [
    storedImage('right/1.png'),
    storedImage('set/left/1.png'),
    storedImage('left/1.png'),
  ]);
  expect(found.flat()).toEqual(['id of set/left/1.png']);
});

it('finds an image by its hash, whatever it is called', () => {
  const hash = 'AB'.repeat(32);
  const [named, other] = [storedImage('x.png'), storedImage('y.png')];
  const index = new StoredIndex([named, other], new Map([[other, hash.toLowerCase()]]));
  expect(index.find('x.png', [hash])).toEqual({ file: other, by: 'hash' });
  expect(index.find(`${hash}.jpg`)).toEqual({ file: other, by: 'hash' });
  expect(index.find('x.png')).toEqual({ file: named, by: 'name' });
});

it('takes boxes of the picture as other tools show it', async () => {
  const { found } = await join(
    { 'instances.json': cocoText.replace('"width":100,"height":50', '"width":50,"height":100') },
    [storedImage('cat.png', 'turned', 6)],
  );
  expect(found).toEqual([['turned', 'cat 0.2 0.05 1 0.25']]);
});
