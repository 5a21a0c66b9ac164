import { describe, expect, it } from 'vitest';
import { folderOfFiles, gathered } from '../../../tests/dataset-fixture.ts';
import type { ImportFormat } from '../dataset-formats.ts';
import { DatasetReport } from '../dataset-report.ts';
import { detectFormats, importDataset } from '../import-dataset.ts';

type Files = Parameters<typeof folderOfFiles>[0];

/** Pictures are 100 × 50 px; each as its name, split, boxes in pixels, classes and tags. */
async function read(files: Files, format: ImportFormat) {
  const listed = folderOfFiles(files);
  const report = new DatasetReport();
  const { found } = await detectFormats(listed);
  expect(found[0]?.format).toBe(format);
  const items = await gathered(importDataset(listed, { report }));
  const pictures = items.map(({ fileName, split, boxes, classifications, tags }) => [
    fileName,
    split,
    boxes.map((box) => {
      const corners = [
        box.xMinNormalized * 100,
        box.yMinNormalized * 50,
        box.xMaxNormalized * 100,
        box.yMaxNormalized * 50,
      ];
      return [
        box.label,
        ...corners.map((corner) => Math.round(corner * 100) / 100),
        ...(box.confidence === undefined ? [] : [box.confidence]),
      ];
    }),
    ...[...classifications.map(({ label }) => `is ${label}`), ...tags.map((tag) => `# ${tag}`)],
  ]);
  const errors = report.problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  const lost = Object.fromEntries(report.lost.map(({ kind, count }) => [kind, count]));
  return { pictures, errors, lost, classes: report.classes.map(({ label }) => label), report };
}

describe('CVAT for images', () => {
  const image = (content: string, more = 'width="100" height="50"') =>
    `<annotations><version>1.1</version><meta><task><labels><label><name>plate</name></label><label><name>cup</name></label></labels></task></meta>
     <image id="0" name="sub/a.png" ${more}>${content}</image></annotations>`;

  it('gives boxes, and the boxes around what is none', async () => {
    const xml = image(`
      <box label="cup" occluded="0" xtl="10" ytl="20" xbr="30.5" ybr="40" z_order="0"><attribute name="colour">red</attribute></box>
      <box label="plate" xtl="40" ytl="10" xbr="60" ybr="20" rotation="90"></box>
      <polygon label="cup" points="1,2;5,2;5,9"></polygon>
      <mask label="cup" rle="1, 2" left="3" top="4" width="10" height="20"></mask>
      <polyline label="cup" points="1,2;5,2"></polyline>
      <points label="cup" points="1,2"></points>
      <cuboid label="cup"></cuboid>
      <tag label="kitchen"></tag>`);
    const { pictures, errors, lost, classes } = await read(
      { 'annotations.xml': xml, 'images/sub/a.png': null },
      'cvat',
    );
    expect(pictures).toEqual([
      ['a.png', null, [['cup', 10, 20, 30.5, 40], ['plate', 45, 5, 55, 25], ['cup', 1, 2, 5, 9], ['cup', 3, 4, 13, 24]], 'is kitchen'],
    ]); // prettier-ignore
    expect(errors).toEqual([]);
    expect(lost).toEqual({ attributes: 1, turned: 1, polygons: 1, masks: 1, lines: 1, points: 1, others: 1 });
    expect(classes).toEqual(['plate', 'cup']);
  });

  it('takes the size from the picture and the split from the subset', async () => {
    const xml = image('<box label="cup" xtl="10" ytl="20" xbr="30" ybr="40"/>', 'subset="Validation"');
    const { pictures } = await read({ 'a.xml': xml, 'sub/a.png': null }, 'cvat');
    expect(pictures).toEqual([['a.png', 'val', [['cup', 10, 20, 30, 40]]]]);
  });

  it('refuses tracks in words', async () => {
    const files = folderOfFiles({
      'a.xml': '<annotations><track id="0" label="cup"></track></annotations>',
      'a.png': null,
    });
    await expect(gathered(importDataset(files))).rejects.toThrow(/CVAT for video.*COCO 1\.0/);
  });
});

describe('LabelMe', () => {
  const shape = (label: string, points: number[][], shape_type: string) => ({ label, points, shape_type, flags: {} });
  it('gives boxes, and the boxes around what is none', async () => {
    const json = {
      ...{ version: '5.0', flags: { blurred: true, night: false }, imageWidth: 100, imageHeight: 50 },
      ...{ imagePath: '..\\elsewhere\\a.png', imageData: null },
      shapes: [
        shape('cup', [[30, 40], [10, 20]], 'rectangle'),
        shape('plate', [[1, 2], [5, 2], [5, 9]], 'polygon'),
        shape('lid', [[50, 25], [53, 29]], 'circle'),
        shape('dot', [[50, 25]], 'point'),
        shape('edge', [[50, 25], [1, 1]], 'linestrip'),
      ],
    }; // prettier-ignore
    const { pictures, errors, lost } = await read({ 'a.json': JSON.stringify(json), 'a.png': null }, 'labelme');
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

describe('Label Studio', () => {
  const whole = { original_width: 100, original_height: 50, from_name: 'label', to_name: 'image', image_rotation: 0 };
  const rectangle = (label: string, x: number, y: number, width: number, height: number, rotation = 0) => ({
    ...whole,
    type: 'rectanglelabels',
    value: { x, y, width, height, rotation, rectanglelabels: [label] },
  });
  const task = (id: number, image: string, more: object) => ({ id, data: { image }, ...more });

  it('gives boxes and choices of the first annotation that counts, else of the prediction', async () => {
    const tasks = [
      task(1, '/data/upload/1/0a1b2c3d-a.png', {
        annotations: [
          { was_cancelled: true, result: [rectangle('wrong', 0, 0, 1, 1)] },
          {
            result: [
              rectangle('cup', 10, 40, 20, 40),
              rectangle('plate', 50, 20, 10, 40, 90),
              { ...whole, type: 'polygonlabels', value: { points: [[1, 4], [5, 4], [5, 18]], polygonlabels: ['fork'] } }, // prettier-ignore
              { ...whole, type: 'choices', value: { choices: ['kitchen'] } },
              { ...whole, type: 'keypointlabels', value: { x: 1, y: 1, keypointlabels: ['tip'] } },
            ],
          },
        ],
      }),
      task(2, 'https://files.example/x/b%20c.png?sig=1', {
        annotations: [],
        predictions: [{ result: [{ ...rectangle('cup', 0, 0, 50, 50), score: 0.75 }] }],
      }),
      task(3, '/data/local-files/?d=set/d.png', { annotations: [{ result: [] }] }),
      task(4, '/data/upload/1/gone.png', { annotations: [] }),
    ];
    const files = { 'project.json': JSON.stringify(tasks), 'a.png': null, 'b c.png': null, 'set/d.png': null };
    const { pictures, errors, lost } = await read(files, 'label-studio');
    expect(pictures).toEqual([
      [
        'a.png',
        null,
        [
          ['cup', 10, 20, 30, 40],
          ['plate', 30, 10, 50, 20],
          ['fork', 1, 2, 5, 9],
        ],
        'is kitchen',
      ],
      ['b c.png', null, [['cup', 0, 0, 50, 25, 0.75]]],
      ['d.png', null, []],
    ]);
    expect(errors).toEqual(['There is no file “gone.png”.']);
    expect(lost).toEqual({ turned: 1, polygons: 1, points: 1 });
  });

  it('is read in its short form, too', async () => {
    const value = {
      x: 10,
      y: 40,
      width: 20,
      height: 40,
      rotation: 0,
      rectanglelabels: ['cup'],
      original_width: 100,
      original_height: 50,
    };
    const tasks = [{ image: '/data/upload/1/0a1b2c3d-a.png', id: 7, label: [value], annotator: 1 }];
    const { pictures } = await read({ 'min.json': JSON.stringify(tasks), 'a.png': null }, 'label-studio');
    expect(pictures).toEqual([['a.png', null, [['cup', 10, 20, 30, 40]]]]);
  });
});

describe('a CSV of boxes', () => {
  const box = ['a.png', null, [['cup', 10, 20, 30, 40]]];
  it.each([
    ['TensorFlow', 'filename,width,height,class,xmin,ymin,xmax,ymax\na.png,100,50,cup,10,20,30,40\n', box],
    ['any order', 'label;x2;y2;x1;y1;image\r\ncup;30;40;10;20;a.png\r\n', box],
    ['corner and size', 'image_name,bbox_x,bbox_y,bbox_width,bbox_height,label_name,image_width,image_height\na.png,10,20,20,20,cup,100,50\n', box],
    ['middle and size in parts', 'path,class,x_center,y_center,width,height\na.png,cup,0.2,0.6,0.2,0.4\n', box],
    ['keras-retinanet', 'a.png,10,20,30,40,cup\n', box],
    ['a score and a split', 'file,label,left,top,right,bottom,score,split\na.png,cup,10,20,30,40,0.5,VALID\n', ['a.png', 'val', [['cup', 10, 20, 30, 40, 0.5]]]],
  ])('%s is read by its header', async (_, csv, picture) => {
    const { pictures, errors } = await read({ 'boxes.csv': csv, 'a.png': null }, 'csv');
    expect([pictures, errors]).toEqual([[picture], []]);
  }); // prettier-ignore

  it('says how it was read, and where a row is wrong; a row without corners is a picture without boxes', async () => {
    const csv = 'filename,class,xmin,ymin,xmax,ymax\na.png,cup,10,20,many,40\nb.png,,,,,\nc.png,cup,1,2,3,4\n';
    const { pictures, errors, report } = await read({ 'boxes.csv': csv, 'a.png': null, 'b.png': null }, 'csv');
    expect(pictures).toEqual([['a.png', null, []], ['b.png', null, []]]); // prettier-ignore
    expect(errors).toEqual(['The box “cup” has no number as x max, but “many”.', 'There is no file “c.png”.']);
    expect(report.problems[0]!.message).toBe(
      'Read as: picture “filename”, label “class”, edges “xmin”, “ymin”, “xmax”, “ymax” in pixels.',
    );
  });

  it('is no table of measurements', async () => {
    const { found } = await detectFormats(folderOfFiles({ 'a.csv': 'time,label,x\n1,2,3\n', 'a.png': null }));
    expect(found).toEqual([]);
  });
});

describe('folders of classes', () => {
  it('give each picture its class, and its split where a folder says it', async () => {
    const { pictures, classes } = await read(
      { 'train/dog/a.png': null, 'train/cat/b.png': null, 'test/dog/c.png': null },
      'class-folders',
    );
    expect(pictures).toEqual([
      ['a.png', 'train', [], 'is dog'],
      ['b.png', 'train', [], 'is cat'],
      ['c.png', 'test', [], 'is dog'],
    ]);
    expect(classes).toEqual(['cat', 'dog']);
  });

  it.each([
    { 'a.png': null, 'dog/b.png': null },
    { 'images/a.png': null, 'labels/b.png': null },
    { 'train/a.png': null, 'val/b.png': null },
    { 'dog/a.png': null },
  ])('are not %j', async (files) => {
    const { found } = await detectFormats(folderOfFiles(files as unknown as Files));
    expect(found).toEqual([]);
  });
});

describe('a format that is not read', () => {
  it.each<[string, Files]>([
    ['VGG Image Annotator', { 'via.json': '{"_via_settings": {}}' }],
    ['Supervisely', { 'ann/a.json': '{"objects": [{"classTitle": "cup"}]}' }],
    ['CreateML', { 'a.json': '[{"image":"a.png","annotations":[{"label":"cup","coordinates":{"x":1}}]}]' }],
    ['TFRecord', { 'cups.tfrecord': 'x' }],
    ['KITTI', { 'training/label_2/000.txt': 'Car 0 0' }],
    ['MOT', { 'gt/gt.txt': '1,1,2,3' }],
    ['YOLO without its names', { 'labels/a.txt': '0 0.5 0.5 1 1' }],
  ])('is called %s, with the cure', async (name, files) => {
    const listed = folderOfFiles({ 'a.png': null, ...files });
    const { recognized } = await detectFormats(listed);
    expect(recognized).toMatch(new RegExp(`^This is ${name}, which is not read: .+\\.$`));
    await expect(gathered(importDataset(listed))).rejects.toThrow(recognized);
  });
});
