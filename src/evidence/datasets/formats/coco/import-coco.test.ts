import { describe, expect, it } from 'vitest';
import { folderOfFiles, gathered } from '../../../../../tests/dataset-fixture.ts';
import { DatasetReport } from '../../item/dataset-report.ts';
import { detectFormats, importDataset } from '../../import-dataset.ts';

const image = { id: 1, file_name: 'a.png', width: 200, height: 100 };
const dog = { id: 18, name: 'dog' };
const bbox = [0, 0, 20, 10];

/** Imports a COCO file with one picture and one box, which have the given fields. */
async function imported(
  of: { image?: object; box?: object; dataset?: object },
  more: Record<string, string | null> = {},
) {
  const report = new DatasetReport();
  const json = {
    images: [{ ...image, ...of.image }],
    annotations: [{ id: 5, image_id: 1, category_id: 18, bbox, ...of.box }],
    categories: [dog],
    ...of.dataset,
  };
  const files = folderOfFiles({ 'x.json': JSON.stringify(json), 'a.png': null, ...more });
  const items = await gathered(importDataset(files, { report, format: 'coco' }));
  return { items, report, said: report.problems.map(({ severity, message }) => `${severity}: ${message}`) };
}

describe('what a file is', () => {
  it.each([
    [{ 'a.txt': '{"images":[]}' }, null, 'there is no .json file'],
    [{ 'a.json': '[{"images":[]}]' }, null, 'a.json has neither “images” nor “annotations” of them'],
    [{ 'a.json': '{"image":[]}' }, null, 'a.json has neither “images” nor “annotations” of them'],
    [{ 'a.json': '{"categories" : []}' }, 'a.json', ''],
    [{ 'a.json': '{"annotations":[{"image_id" : 1}]}' }, 'a.json', ''],
    [{ 'a.json': '{"annotations":[{"name":"cup"}]}' }, null, 'a.json has neither “images” nor “annotations” of them'],
    [{ 'a.json': '{"images":[]}', 'Instances.json': ' {"images":[]}' }, 'Instances.json', ''],
    [{ 'a.json': '{"images":[]}', 'b/_annotations.coco.json': '{"images":[]}' }, 'b/_annotations.coco.json', ''],
    [{ 'instances/a.json': '{"images":[]}', 'b.json': '{"images":[]}' }, 'instances/a.json', ''],
  ])('of %j', async (files, startPath, reason) => {
    const { found, missing } = await detectFormats(folderOfFiles(files as unknown as Record<string, string>));
    expect(found.find(({ format }) => format === 'coco')?.startPath ?? null).toBe(startPath);
    if (startPath === null) expect(missing).toContainEqual({ format: 'coco', reason });
  });

  it.each([
    [{ description: ' Pets ' }, 'Pets'],
    [{ description: 'x'.repeat(60) }, 'x'.repeat(60)],
    [{ description: 'x'.repeat(61) }, null],
    [{ description: 'Pets\nof all kinds' }, null],
    [{ description: ' ' }, null],
    [{ description: 7 }, null],
    ['Pets', null],
  ])('calls itself by the info %j', async (info, name) => {
    expect((await imported({ dataset: { info } })).report.datasetName).toBe(name);
  });

  it('keeps the name of the first of several', async () => {
    const other = JSON.stringify({ info: { description: 'Later' }, images: [], categories: [] });
    const { report } = await imported({ dataset: { info: { description: 'First' } } }, { 'y.json': other });
    expect([report.datasetName, report.expectedImages]).toEqual(['First', 1]);
  });
});

it.each<[string, object, object]>([
  ['a content id', { content_id: 'c1' }, { contentId: 'c1' }],
  ['an empty content id', { content_id: '' }, { contentId: 'a.png' }],
  ['a content id that is no text', { content_id: 7 }, { contentId: 'a.png' }],
  ['a time', { date_captured: '2013-11-14 17:02:52' }, { capturedAt: '2013-11-14T17:02:52Z' }],
  ['no time', {}, { capturedAt: null, sizePx: { widthPx: 200, heightPx: 100 } }],
  ['no width', { width: 0 }, { sizePx: { widthPx: 100, heightPx: 50 } }],
  ['no height', { height: 0 }, { sizePx: { widthPx: 100, heightPx: 50 } }],
  ['a width in letters', { width: '200' }, { sizePx: { widthPx: 100, heightPx: 50 } }],
  ['a height in letters', { height: '100' }, { sizePx: { widthPx: 100, heightPx: 50 } }],
])('takes an image with %s', async (_, more, expected) => {
  expect((await imported({ image: more })).items).toMatchObject([expected]);
});

it('gives what every box has, and the score that some have', async () => {
  const { items, said } = await imported({ box: { bbox: [20, 10, 100, 50], score: 0.5 } });
  const [box] = items[0]!.boxes;
  expect(box).toMatchObject({ label: 'dog', confidence: 0.5, xMinNormalized: 0.1, yMinNormalized: 0.1 });
  expect(box).toMatchObject({ xMaxNormalized: 0.6, yMaxNormalized: 0.6 });
  expect(said).toEqual([]);
});

it.each<[string, Parameters<typeof imported>[0], string[]]>([
  ['a category of another id', { dataset: { categories: [{ id: 1, name: 'cat' }] } }, ['error: Annotation 5 of “a.png” is of category 18, which “categories” does not list.']],
  ['a category without a name', { dataset: { categories: [dog, { id: 2 }] } }, ['error: A category has no name: {"id":2}.']],
  ['a category with a blank name', { dataset: { categories: [dog, { id: 2, name: ' ' }] } }, ['error: A category has no name: {"id":2,"name":" "}.']],
  ['a category that is none', { dataset: { categories: [dog, 'cat'] } }, ['error: A category has no name: “cat”.']],
  ['an annotation that is none', { dataset: { annotations: [7] } }, ['error: An annotation belongs to no image of “images”: 7.']],
  ['an annotation of no image', { dataset: { annotations: [{}] } }, ['error: An annotation belongs to no image of “images”: {}.']],
  ['an image that is none', { dataset: { images: [image, 'b.png'] } }, ['error: An image has no “file_name”: “b.png”.']],
  ['an image with an empty name', { dataset: { images: [image, { id: 2, file_name: '' }] } }, ['error: An image has no “file_name”: {"id":2,"file_name":""}.']],
  ['a box of four and polygons', { box: { bbox: [0, 0, 1, 1, 1], segmentation: [[1, 1, 9, 9]] } }, ['error: Annotation 5 of “a.png” has no “bbox” of four numbers, but [0,0,1,1,1].']],
])('says what is wrong with %s', async (_, of, words) => {
  expect((await imported(of)).said).toEqual(words);
}); // prettier-ignore

it('takes a number for the name of a class', async () => {
  const { items } = await imported({ dataset: { categories: [{ id: 18, name: 7 }] } });
  expect(items).toMatchObject([{ boxes: [{ label: '7' }] }]);
});

it.each<[object, object]>([
  [{ iscrowd: 1 }, {}],
  [{ iscrowd: 0, segmentation: [[]] }, {}],
  [{ segmentation: [[], [1, 2]] }, { polygons: 1 }],
  [{ keypoints: [] }, {}],
  [{ caption: 'a dog' }, { captions: 1 }],
  [{ caption: null }, {}],
  [{ attributes: { occluded: false, rotation: 0, keyframe: true } }, {}],
  [{ attributes: { rotation: '45' } }, {}],
  [{ attributes: { rotation: -1 } }, { turned: 1 }],
  [{ attributes: { track_id: 0 } }, {}],
  [{ attributes: { occluded: true } }, { attributes: 1 }],
  [{ attributes: { occluded: false, colour: 'red' } }, { attributes: 1 }],
  [{ attributes: [] }, {}],
])('of a box with %j loses %j', async (box, lost) => {
  const { report } = await imported({ box });
  expect(Object.fromEntries(report.lost.map(({ kind, count }) => [kind, count]))).toEqual(lost);
});

describe('an area', () => {
  const stated = { width: 100, height: 50 };
  it.each<[string, object, object, number | undefined]>([
    ['that is width × height', stated, { area: 200 }, undefined],
    ['that is it up to its last digit', stated, { bbox: [0, 0, 20.3333, 10.6667], area: 216.8892 }, undefined],
    ['of a mask', stated, { area: 137.25 }, 137.25],
    ['of nothing', stated, { area: 0 }, 0],
    ['that is none', stated, { area: '137' }, undefined],
    ['at a bound of sizes', stated, { bbox: [0, 0, 32, 32], area: 1024 }, 1024],
    ['of a picture that was made smaller', {}, { area: 137 }, 137 / 4],
    ['of a picture without a stated size', { width: 0 }, { area: 137 }, 137],
  ])('%s is kept as it counts', async (_, of, box, areaPx) => {
    const { items } = await imported({ image: of, box });
    expect(items[0]!.boxes.map((one) => one.areaPx)).toEqual([areaPx]);
  });
});

it('keeps crowds beside the boxes, where their label fits', async () => {
  const crowd = { id: 6, image_id: 1, category_id: 18, bbox: [20, 10, 100, 50], area: 77, iscrowd: 1 };
  const long = { ...crowd, id: 7, category_id: 2 };
  const categories = [dog, { id: 2, name: 'x'.repeat(61) }];
  const annotations = [crowd, long, { ...crowd, id: 8, iscrowd: 0 }];
  const { items, said } = await imported({ dataset: { annotations, categories } });
  const place = { label: 'dog', xMinNormalized: 0.1, yMinNormalized: 0.1, xMaxNormalized: 0.6, yMaxNormalized: 0.6 };
  expect(items).toMatchObject([{ boxes: [place], crowds: [{ ...place, areaPx: 77 / 4 }] }]);
  expect(items[0]!.crowds).toHaveLength(1);
  expect(said[0]).toContain('whose label of 61 characters is too long to keep');
});

it('says where a picture has more areas than are kept', async () => {
  const annotations = Array.from({ length: 801 }, (_, id) => ({ id, image_id: 1, category_id: 18, bbox, area: 1 + id / 10 })); // prettier-ignore
  expect((await imported({ dataset: { annotations } })).said).toEqual([
    'note: 801 boxes of “a.png” have areas that are not width × height; the first 800 are kept, and the others have width × height.',
  ]);
});

it('leaves out the boxes of a picture whose size nothing tells, and says so', async () => {
  const { items, said } = await imported({ image: { width: 0 } }, { 'a.png': 'no picture' });
  expect(items).toMatchObject([{ sizePx: null, boxes: [] }]);
  expect(said).toEqual([
    'error: “a.png” has no width and height, and its file does not tell them; its boxes are left out.',
  ]);
  const empty = await imported({ image: { width: 0 }, dataset: { annotations: [] } }, { 'a.png': 'no picture' });
  expect(empty.said).toEqual([]);
});

it('imports pictures once where two files list them, and what only the second has', async () => {
  const second = JSON.stringify({ images: [image, { id: 2, file_name: 'b.png' }], annotations: [], categories: [] });
  const { items, said } = await imported({}, { 'y.json': second, 'b.png': null });
  expect(items.map(({ fileName }) => fileName)).toEqual(['a.png', 'b.png']);
  expect(said).toEqual(['note: 1 of its pictures are in a file that came before; its own boxes are left out.']);
});

it('names the owner of a picture that one file lists twice', async () => {
  const { said } = await imported({ dataset: { images: [image, { ...image, id: 2 }] } });
  expect(said).toEqual(['error: a.png has been imported already, from x.json.']);
});
