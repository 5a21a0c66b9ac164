import { describe, expect, it } from 'vitest';
import { readPictures } from '../../../../../tests/read-pictures.ts';
import { folderOfFiles, gathered } from '../../../../../tests/dataset-fixture.ts';
import { importDataset } from '../../import-dataset.ts';

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
    const { pictures, errors, lost } = await readPictures(files, 'label-studio');
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
    const { pictures, errors } = await readPictures(files, 'label-studio');
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
    expect((await readPictures({ 'p.json': text, ...pictures }, 'label-studio')).pictures).toEqual([[name, null, []]]);
  });

  it.each<[string, object]>([
    ['img', { img: 'a.png' }],
    ['img, and not the first that looks like one', { thumbnail: 'x/gone.png', img: 'a.png' }],
    ['image, before any other', { thumbnail: 'x/gone.png', img: 'gone.png', image: 'a.png' }],
    ['another key', { title: 'A cup', photo: 'x/a.jpeg?size=2' }],
  ])('finds a picture under %s', async (_, data) => {
    const text = JSON.stringify([{ id: 1, data, annotator: 1 }]);
    const { pictures } = await readPictures({ 'p.json': text, 'a.png': null, 'a.jpeg': null }, 'label-studio');
    expect(pictures).toHaveLength(1);
  });

  it('says which task names no picture, and what kind of shape is lost', async () => {
    const kinds = ['brush', 'keypoint', 'ellipse'].map((kind) => ({ ...whole, value: { [`${kind}labels`]: ['x'] } }));
    const tasks = [
      { id: 7, data: { text: 'a' }, annotator: 1 },
      task(1, 'a.png', { annotations: [{ result: kinds }] }),
      3,
    ];
    const { errors, lost, report } = await readPictures(
      { 'p.json': JSON.stringify(tasks), 'a.png': null },
      'label-studio',
    );
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
    const { pictures } = await readPictures({ 'min.json': JSON.stringify(tasks), 'a.png': null }, 'label-studio');
    expect(pictures).toEqual([['a.png', null, [['cup', 10, 20, 30, 40]]]]);
  });
});
