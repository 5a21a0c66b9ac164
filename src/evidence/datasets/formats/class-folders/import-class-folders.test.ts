import { describe, expect, it } from 'vitest';
import { readPictures, type Files } from '../../../../../tests/read-pictures.ts';
import { folderOfFiles } from '../../../../../tests/dataset-fixture.ts';
import { detectFormats } from '../../import-dataset.ts';

describe('folders of classes', () => {
  it('give each picture its class, and its split where a folder says it', async () => {
    const { pictures, classes } = await readPictures(
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
