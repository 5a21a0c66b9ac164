import { describe, expect, it } from 'vitest';
import type { Files } from '../../../tests/read-pictures.ts';
import { folderOfFiles, gathered } from '../../../tests/dataset-fixture.ts';
import { detectFormats, importDataset } from './import-dataset.ts';

describe('a format that is not read', () => {
  it.each<[string, Files]>([
    ['VGG Image Annotator', { 'via.json': '{"_via_settings": {}}' }],
    ['Supervisely', { 'ann/a.json': '{"objects": [{"classTitle": "cup"}]}' }],
    ['CreateML', { 'a.json': '[{"image":"a.png","annotations":[{"label":"cup","coordinates":{"x":1}}]}]' }],
    ['V7 Darwin', { 'a.json': '{"item":{"name":"a.png","slots":[{}]},"annotations":[]}' }],
    ['V7 Darwin', { 'a.json': '{"image":{"filename":"a.png"},"annotations":[{"bounding_box":{"x":1},"name":"cup"}]}' }],
    ['Datumaro', { 'a.json': '{"info":{},"categories":{"label":{"labels":[{"name":"cup"}]}},"items":[]}' }],
    ['TFRecord', { 'cups.tfrecord': 'x' }],
    ['KITTI', { 'training/label_2/000.txt': 'Car 0 0' }],
    ['YOLO without its names', { 'labels/a.txt': '0 0.5 0.5 1 1' }],
  ])('is called %s, with the cure', async (name, files) => {
    const listed = folderOfFiles({ 'a.png': null, ...files });
    const { recognized } = await detectFormats(listed);
    expect(recognized).toMatch(new RegExp(`^This is ${name}, which is not read: .+\\.$`));
    await expect(gathered(importDataset(listed))).rejects.toThrow(recognized);
  });
});
