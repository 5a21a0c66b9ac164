import { expect, it } from 'vitest';
import {
  baseNameOf,
  extensionOf,
  folderOf,
  innerPath,
  isImagePath,
  isSystemFile,
  segmentsOf,
  splitExtension,
} from './inner-path.ts';

it.each([
  ['a/b.png', 'a/b.png'],
  ['.\\a\\\\b.png', 'a/b.png'],
  ['a/./b/', 'a/b'],
  ['a\u0308.png', '\u00e4.png'],
  ['a..b/c...png', 'a..b/c...png'],
  ['ab:c/d', 'ab:c/d'],
  ['1:c', '1:c'],
  ['/a', null],
  ['\\a', null],
  ['C:/a', null],
  ['c:a', null],
  ['a/../b', null],
  ['..', null],
  ['a\0b', null],
  ['', null],
  ['../files/', null],
])('takes %j as the path %j inside a dataset', (raw, path) => {
  expect(innerPath(raw)).toBe(path);
});

it.each([
  ['a/b\\c', ['a', 'b', 'c']],
  ['/a//./b/', ['a', 'b']],
  ['../a', ['..', 'a']],
  ['', []],
])('parts %j into %j', (path, segments) => {
  expect(segmentsOf(path)).toEqual(segments);
});

it.each([
  ['a/b/c.d.JPG', 'a/b', 'c.d.JPG', 'c.d', '.JPG'],
  ['c.png', '', 'c.png', 'c', '.png'],
  ['a.b/c', 'a.b', 'c', 'c', ''],
  ['a/.png', 'a', '.png', '.png', ''],
  ['a/x.', 'a', 'x.', 'x', '.'],
  ['/c', '', 'c', 'c', ''],
  ['', '', '', '', ''],
])('%j has the folder %j, the name %j, the stem %j and the extension %j', (path, folder, name, stem, extension) => {
  expect(folderOf(path)).toBe(folder);
  expect(baseNameOf(path)).toBe(name);
  expect(splitExtension(name)).toEqual([stem, extension]);
  expect(extensionOf(path)).toBe(extension.toLowerCase());
});

it.each(['jpg', 'JPEG', 'png', 'webp', 'bmp', 'gif', 'tif', 'tiff', 'avif'])('knows pictures by .%s', (extension) => {
  expect(isImagePath(`a/b.${extension}`)).toBe(true);
});

it.each(['a/b.txt', 'png', 'a/.png', 'a.png/b', 'a.pngx'])('%j is no picture', (path) => {
  expect(isImagePath(path)).toBe(false);
});

it.each([
  ['__MACOSX/a.png', true],
  ['a/.DS_Store', true],
  ['a/thumbs.db', true],
  ['desktop.ini', true],
  ['a/._b.png', true],
  ['.git/config', true],
  ['._a/b.png', false],
  ['a__MACOSX/b', false],
  ['my.DS_Store', false],
  ['Thumbs.db.png', false],
  ['.github/a', false],
])('whether a system left %j: %j', (path, isSystems) => {
  expect(isSystemFile(path)).toBe(isSystems);
});
