import { describe, expect, it } from 'vitest';
import { folderOfFiles } from '../../../../tests/dataset-fixture.ts';
import { DatasetReport } from '../item/dataset-report.ts';
import { FileIndex, joinPath } from './file-index.ts';

const indexOf = (...paths: string[]): FileIndex =>
  FileIndex.of(folderOfFiles(Object.fromEntries(paths.map((path) => [path, null]))), new DatasetReport());

describe('at', () => {
  it.each([
    ['a.png', 'a.png'],
    ['A.png', 'A.png'],
    ['A.PNG', 'a.png'],
    ['sub/B.PNG', 'sub/b.png'],
    ['b.png', undefined],
    ['sub', undefined],
  ])('%j is %j', (path, found) => {
    expect(indexOf('a.png', 'A.png', 'sub/b.png').at(path)?.path).toBe(found);
  });
});

describe('find', () => {
  it.each<[string, string[], string, string, string, boolean]>([
    ['from the folder first', ['x/a.png', 'a.png'], 'a.png', 'x', 'x/a.png', false],
    ['from the top else', ['x/b.png', 'a.png'], 'a.png', 'x', 'a.png', false],
    ['above the folder', ['images/a.png', 'a.png'], '../images/a.png', 'labels', 'images/a.png', false],
    ['by the end of a longer reference', ['x/a.png', 'y/a.png'], '/data/x/a.png', '', 'x/a.png', false],
    ['by the end of a longer path', ['top/x/a.png', 'top/y/a.png'], 'x/a.png', '', 'top/x/a.png', false],
    ['by its name alone, and says so', ['x/a.png', 'y/b.png'], 'z/a.png', '', 'x/a.png', true],
    [
      'by its end where it steps up above the top',
      ['x/images/a.png', 'y/a.png'],
      '../images/a.png',
      '',
      'x/images/a.png',
      false,
    ],
    ['by its name without an ending', ['x/a.txt', 'x/A.png', 'x/ab.png'], 'a', '', 'x/A.png', false],
    ['through more steps up than there are folders', ['x/a.png'], '../../x/a.png', 'l', 'x/a.png', false],
  ])('%s', (_, paths, reference, folder, path, loose) => {
    expect(indexOf(...paths).find(reference, folder)).toMatchObject({ file: { path }, loose });
  });

  it.each<[string, string[], string, string]>([
    ['a name that no file has', ['x/a.png'], 'b.png', 'There is no file “b.png”.'],
    ['a name without an ending that two have', ['a.png', 'a.jpg'], 'a', '“a” may be a.png or a.jpg: keep one, or write the folder before the name.'],
    ['an empty name', ['x/a.png'], '', 'There is no file “”.'],
    ['one of two in other folders', ['x/a.png', 'y/a.png'], 'z/a.png', '“z/a.png” may be x/a.png or y/a.png: keep one, or write the folder before the name.'],
    ['one of two whose paths end so', ['p/x/a.png', 'q/x/a.png', 'a/a.png'], 'x/a.png', '“x/a.png” may be p/x/a.png or q/x/a.png: keep one, or write the folder before the name.'],
  ])('says why it finds none for %s', (_, paths, reference, message) => {
    expect(indexOf(...paths).find(reference, '')).toEqual({ file: null, message });
  }); // prettier-ignore

  it('lets the caller choose between several, and only between those', () => {
    const files = indexOf('x/a.png', 'y/a.png', 'y/b.png');
    const prefers = (path: string) => path.startsWith('y/');
    expect(files.find('a.png', '', prefers)).toMatchObject({ file: { path: 'y/a.png' }, loose: false });
    expect(files.find('z/a.png', '', prefers)).toMatchObject({ file: { path: 'y/a.png' }, loose: true });
    expect(files.find('b.png', '', () => false)).toMatchObject({ file: { path: 'y/b.png' } });
    expect(files.find('a.png', '', () => true)).toMatchObject({ file: null });
  });
});

it.each([
  ['a/b', ['c'], 'a/b/c'],
  ['a/b', ['..', 'c'], 'a/c'],
  ['', ['c', '..', 'd'], 'd'],
  ['a', ['..'], ''],
  ['a', ['..', '..', 'a'], null],
])('joins %j and %j to %j', (folder, segments, path) => {
  expect(joinPath(folder, segments)).toBe(path);
});
