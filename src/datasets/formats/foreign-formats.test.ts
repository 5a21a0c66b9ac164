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

  it.each([
    ['a box that is hidden', '<box label="cup" occluded="1" xtl="1" ytl="2" xbr="3" ybr="4"/>', ['cup', 1, 2, 3, 4], { attributes: 1 }],
    ['a box that is not', '<box label="cup" occluded="0" xtl="1" ytl="2" xbr="3" ybr="4"/>', ['cup', 1, 2, 3, 4], {}],
    ['a box turned by nothing', '<box label="cup" rotation="0.00" xtl="1" ytl="2" xbr="3" ybr="4"/>', ['cup', 1, 2, 3, 4], {}],
    ['a polygon with an attribute', '<polygon label="cup" points="1,2;5,9"><attribute name="a">b</attribute></polygon>', ['cup', 1, 2, 5, 9], { polygons: 1, attributes: 1 }],
  ])('reads %s', async (_, shape, box, lost) => {
    const { pictures, errors, lost: counted } = await read({ 'a.xml': image(shape), 'sub/a.png': null }, 'cvat');
    expect(pictures).toEqual([['a.png', null, [box]]]);
    expect([errors, counted]).toEqual([[], lost]);
  }); // prettier-ignore

  it.each([
    ['an edge that is missing', '<box label="cup" xtl="1" ytl="2" xbr="3"/>', 'The box “cup” has no number as y max, but undefined.'],
    ['an empty edge', '<box label="cup" xtl="" ytl="2" xbr="3" ybr="4"/>', 'The box “cup” has no number as x min, but “”.'],
    ['a point without its half', '<polygon label="cup" points="1,;3,4"/>', 'The box “cup” has no number as y min, but undefined.'],
    ['a polygon without points', '<polygon label="cup"/>', 'The box “cup” has no number as x min, but undefined.'],
    ['a box without a label', '<box xtl="1" ytl="2" xbr="3" ybr="4"/>', 'The box has no label, but undefined.'],
  ])('says what is wrong with %s', async (_, shape, message) => {
    const { pictures, errors } = await read({ 'a.xml': image(shape), 'sub/a.png': null }, 'cvat');
    expect([pictures, errors]).toEqual([[['a.png', null, []]], [message]]);
  }); // prettier-ignore

  it('leaves out a file that breaks off or has another root, and reads the rest', async () => {
    const files = {
      'a.xml': '<annotations><image',
      'b.xml': '<!-- <annotations> --><note/>',
      'c.xml': image('<tag/><tag label="kitchen"/>'),
      'sub/a.png': null,
    };
    const { pictures, errors, report } = await read(files, 'cvat');
    expect(pictures).toEqual([['a.png', null, [], 'is kitchen']]);
    expect(errors[0]).toMatch(/^The file cannot be read: /);
    expect(errors[1]).toBe('The file cannot be read: its root is <note>, not <annotations>.');
    expect(report.expectedImages).toBe(1);
  });

  it('counts tracks beside pictures, and knows no classes of theirs', async () => {
    const xml = image('').replace('</annotations>', '<track><labels><label><name>x</name></label></labels></track><labels><label/></labels></annotations>'); // prettier-ignore
    const { errors, lost, classes } = await read({ 'a.xml': xml, 'sub/a.png': null }, 'cvat');
    expect([errors, lost, classes]).toEqual([[], { tracks: 1 }, ['plate', 'cup']]);
  });

  it('leaves out a picture that is not there, says so, and reads the rest', async () => {
    const xml = image('').replace('</annotations>', '<image name="b.png"/><image/></annotations>');
    const { pictures, errors } = await read({ 'a.xml': xml, 'b.png': null }, 'cvat');
    expect(pictures).toEqual([['b.png', null, []]]);
    expect(errors).toEqual(['There is no file “sub/a.png”.', 'There is no file “”.']);
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
    const { pictures } = await read({ 'X.json': labelMe(more), 'a.png': null, 'x.png': null, 'x.txt': '' }, 'labelme');
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
    const { pictures, errors } = await read(files, 'labelme');
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
    const found = await read({ 'a.json': labelMe({}, { ...shape, ...more }), 'a.png': null }, 'labelme');
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
    const { pictures, report } = await read({ 'a.json': '{"a":1}', 'b.json': labelMe({}), 'a.png': null }, 'labelme');
    expect(pictures).toEqual([['a.png', null, [box]]]);
    expect([report.errorCount, report.expectedImages]).toEqual([0, 2]);
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

  it.each<[string, object, unknown[]]>([
    ['the prediction where there is no annotation', { annotations: [], predictions: [{ result: [rectangle('p', 0, 0, 10, 10)] }] }, [['p', 0, 0, 10, 5]]],
    ['the first prediction', { predictions: [{ result: [] }, { result: [rectangle('p', 0, 0, 10, 10)] }] }, []],
    ['no prediction where an annotation was cancelled', { annotations: [{ was_cancelled: true, result: [] }], predictions: [{ result: [rectangle('p', 0, 0, 10, 10)] }] }, []],
    ['the first annotation', { annotations: [{ result: [rectangle('a', 0, 0, 10, 10)] }, { result: [rectangle('b', 0, 0, 10, 10)] }] }, [['a', 0, 0, 10, 5]]],
    ['completions of old', { completions: [{ result: [rectangle('c', 0, 0, 10, 10)] }] }, [['c', 0, 0, 10, 5]]],
    ['a score', { annotations: [{ result: [{ ...rectangle('a', 0, 0, 10, 10), score: 0.5 }] }] }, [['a', 0, 0, 10, 5, 0.5]]],
    ['nothing that has no label', { annotations: [{ result: [{ ...whole, value: { x: 1 } }, 7] }] }, []],
  ])('takes %s', async (_, more, boxes) => {
    const files = { 'p.json': JSON.stringify([task(1, 'a.png', { file_upload: 'a', ...more })]), 'a.png': null };
    const { pictures, errors } = await read(files, 'label-studio');
    expect([pictures, errors]).toEqual([[['a.png', null, boxes]], []]);
  }); // prettier-ignore

  it.each([
    ['/data/upload/1/0A1B2C3D-a.png', 'a.png'],
    ['s3://bucket/x/a.png', 'a.png'],
    ['/data/local-files/?x=1&d=set/a.png', 'a.png'],
    ['C:\\pictures\\a.png', 'a.png'],
    ['/x/100%25.png', '100%.png'],
    ['/x/100%.png', '100%.png'],
    ['/x/0a1b2c3d-b.png', '0a1b2c3d-b.png'],
  ])('finds the picture of %j', async (said, name) => {
    const pictures = { 'a.png': null, '100%.png': null, '0a1b2c3d-b.png': null, 'b.png': null };
    const text = JSON.stringify([task(1, said, { annotator: 1 })]);
    expect((await read({ 'p.json': text, ...pictures }, 'label-studio')).pictures).toEqual([[name, null, []]]);
  });

  it.each<[string, object]>([
    ['img', { img: 'a.png' }],
    ['another key', { title: 'A cup', photo: 'x/a.jpeg?size=2' }],
  ])('finds a picture under %s', async (_, data) => {
    const text = JSON.stringify([{ id: 1, data, annotator: 1 }]);
    const { pictures } = await read({ 'p.json': text, 'a.png': null, 'a.jpeg': null }, 'label-studio');
    expect(pictures).toHaveLength(1);
  });

  it('says which task names no picture, and what kind of shape is lost', async () => {
    const kinds = ['brush', 'keypoint', 'ellipse'].map((kind) => ({ ...whole, value: { [`${kind}labels`]: ['x'] } }));
    const tasks = [
      { id: 7, data: { text: 'a' }, annotator: 1 },
      task(1, 'a.png', { annotations: [{ result: kinds }] }),
      3,
    ];
    const { errors, lost, report } = await read({ 'p.json': JSON.stringify(tasks), 'a.png': null }, 'label-studio');
    expect([errors, lost]).toEqual([['Task 7 names no picture.'], { masks: 1, points: 1, others: 1 }]);
    expect(report.expectedImages).toBe(3);
  });

  it('says which file it cannot read', async () => {
    const files = folderOfFiles({ 'p.json': '[{"annotator": 1}', 'a.png': null });
    await expect(gathered(importDataset(files))).rejects.toMatchObject({
      code: 'unreadable-file',
      message: expect.stringMatching(/^p\.json cannot be read as Label Studio: /) as string,
    });
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

  it.each([
    ['edges in parts', 'file,label,x1,y1,x2,y2\na.png,cup,0.1,0.4,0.3,0.8\na.png,cup,0,0,1,1\n', ['cup', 10, 20, 30, 40]],
    ['edges of which one is above 1', 'file,label,x1,y1,x2,y2\na.png,cup,0.5,0,1,1\na.png,cup,0,0,1,1.5\n', ['cup', 0.5, 0, 1, 1]],
    ['middle and size in pixels', 'file,label,cx,cy,w,h\na.png,cup,20,30,20,20\na.png,cup,2,2,2,2\n', ['cup', 10, 20, 30, 40]],
    ['spaces around everything', 'file,label,x1,y1,x2,y2,score\n a.png , cup , 10 ,20,30,40, 0.5 \na.png,b,1,1,2,2,\n', ['cup', 10, 20, 30, 40, 0.5]],
  ])('reads %s, two boxes of one picture', async (_, csv, first) => {
    const { pictures, errors, report } = await read({ 'boxes.csv': csv, 'a.png': null }, 'csv');
    expect(pictures).toEqual([['a.png', null, [first, expect.anything()]]]);
    expect([errors, report.expectedImages]).toEqual([[], 1]);
  }); // prettier-ignore

  it('takes the size that a row says, and names columns of a table without a header by their place', async () => {
    const sized = 'file,label,x1,y1,x2,y2,image_width,image_height\na.png,cup,20,40,60,80,200,100\n';
    expect((await read({ 'boxes.csv': sized, 'a.png': null }, 'csv')).pictures).toEqual([['a.png', null, [['cup', 10, 20, 30, 40]]]]); // prettier-ignore
    const plain = await read({ 'x/val.tsv': 'a.png\t0.1\t0.4\t0.3\t0.8\tcup', 'a.png': null }, 'csv');
    expect(plain.pictures).toEqual([['a.png', 'val', [['cup', 10, 20, 30, 40]]]]);
    expect(plain.report.problems[0]!.message).toBe(
      'Read as: picture column 1, label column 6, edges column 2, column 3, column 4, column 5 in parts of the picture.',
    );
  });

  it('names the line of what is wrong in it', async () => {
    const csv = 'file,label,x,y,w,h\n\na.png,cup,10,20,30,\na.png,,1,1,9,9\nb.png,cup,1,1,2,2\n,cup,1,1,2,2\n';
    const { report } = await read({ 'boxes.csv': csv, 'a.png': null }, 'csv');
    const errors = report.problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ line, message }) => [line, message])).toEqual([
      [2, 'The box “cup” has no number as y max, but “”.'],
      [3, 'The box has no label, but “”.'],
      [4, 'There is no file “b.png”.'],
    ]);
    expect(report.problems[0]!.message).toContain('corner and size “x”, “y”, “w”, “h” in pixels');
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
    { 'dog/a.txt': '', 'cat/b.txt': '' },
    { 'x/Pictures/a.png': null, 'dog/b.png': null },
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
