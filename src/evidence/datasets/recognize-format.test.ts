import { expect, it } from 'vitest';
import { folderOfFiles } from '../../../tests/dataset-fixture.ts';
import { DatasetReport } from './item/dataset-report.ts';
import { FileIndex } from './files/file-index.ts';
import { recognizeFormat } from './recognize-format.ts';

type Files = Parameters<typeof folderOfFiles>[0];
const recognized = (files: Files) =>
  recognizeFormat(FileIndex.of(folderOfFiles(files), new DatasetReport())).then(({ sentence }) => sentence);

it.each<[string, Files]>([
  ['VGG Image Annotator', { 'a.json': '{"x":{"regions":[{"shape_attributes":{}}]}}' }],
  ['VGG Image Annotator', { 'a.json': '{"project":{"pid":"__VIA_PROJECT_ID__"},"file":{}}' }],
  ['VGG Image Annotator', { 'a.csv': 'filename,region_id,region_shape_attributes\na.png,0,"{}"\n' }],
  ['Supervisely', { 'a.json': '{"objects":[{"classId" : 1}]}' }],
  ['Labelbox', { 'a.ndjson': '{"data_row":{}}' }],
  ['Labelbox', { 'a.json': '[{"data_row" : {}}]' }],
  ['Labelbox', { 'a.json': '[{"ID":"1","Labeled Data":"https://a.test/a.png"}]' }],
  ['V7 Darwin', { 'a.json': '{"annotations":[{"bounding_box":{"x":1},"name":"cup"}]}' }],
  ['VoTT', { 'a.json': '{"asset":{},"regions":[{"tags":["cup"],"boundingBox":{"left":1}}]}' }],
  ['FiftyOne', { 'samples.json': '{"samples":[{"ground_truth":{"_cls":"Detections"}}]}' }],
  ['a list of COCO results', { 'a.json': '[{"category_id":1,"image_id":7,"bbox":[1,2,3,4],"score":0.5}]' }],
  ['Cityscapes', { 'gtFine/train/ulm/ulm_0_gtFine_polygons.json': '{}' }],
  ['WIDER FACE', { 'wider_face_split/wider_face_train_bbx_gt.txt': '' }],
  ['a manifest of SageMaker Ground Truth', { 'output.manifest': '{"source-ref":"s3://bucket/a.png"}' }],
  ['V7 Darwin', { 'a.json': '{"item":{"name":"a",\n"slots":[]}}' }],
  ['Datumaro', { 'a.json': '{"categories": {"label": {}}}' }],
  ['CreateML', { 'a.json': '[{"coordinates":{}}]' }],
  ['BDD100K', { 'a.json': '[{"labels":[{"box2d":{}}]}]' }],
  ['KITTI', { 'label_2/1.txt': '' }],
  ['TFRecord', { 'a.tfrecord-00000-of-00002': '' }],
  ['Parquet', { 'data/a.parquet': '' }],
  ['a MATLAB file', { 'a.MAT': '' }],
  ['an archive of another kind than zip', { 'a.tar': '' }],
  ['YOLO without its names', { 'x/labels/train/a.txt': '' }],
])('knows %s', async (name, files) => {
  expect(await recognized(files)).toMatch(new RegExp(`^This is ${name}, which is not read: .+\\.$`));
});

it.each<[string, Files]>([
  ['of a word that another kind of file holds', { 'a.txt': '{"data_row":{}}', 'a.csv': 'a,"b"', 'a.xml': '{"data_row":{}}' }],
  ['of names that only look alike', { 'a/gt.txt': '', 'label_2.txt': '', 'labels.txt': '', 'a.material': '' }],
  ['of a word behind the first 16 KB', { 'a.json': `{"a":"${' '.repeat(16 * 1024)}","data_row":1}` }],
  ['of a word in the sixth file', { ...Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`${i}.json`, '{}'])), '6.json': '{"box2d":1}' }],
])('knows nothing %s', async (_, files) => {
  expect(await recognized(files)).toBe('');
}); // prettier-ignore

it('looks at five files of a kind', async () => {
  const files = { ...Object.fromEntries([1, 2, 3, 4].map((i) => [`${i}.json`, '{}'])), '5.json': '{"box2d":1}' };
  expect(await recognized(files)).toMatch(/^This is BDD100K/);
});
