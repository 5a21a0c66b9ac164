import { expect, it } from 'vitest';
import { flatJpeg } from '../../../../tests/flat-jpeg.ts';
import { datasetItem, pngHeader } from '../../../../tests/dataset-fixture.ts';
import { contentOf } from '../item/content.ts';
import { DatasetReport } from '../item/dataset-report.ts';
import { nameImage, sizeOf } from './export-image.ts';
import { UniqueNames } from '../files/unique-names.ts';

const jpeg = flatJpeg({ widthPx: 16, heightPx: 8 });
const webp = Uint8Array.from([
  ...[...'RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0'].map((letter) => letter.charCodeAt(0)),
  3,
  0,
  0,
  1,
  0,
  0,
]);

it.each([
  ['a.PNG', jpeg, 'a.png'],
  ['a.txt', jpeg, 'a.txt.jpg'],
  ['a.b', pngHeader(4, 2), 'a.b.png'],
  ['a', webp, 'a.webp'],
  ['a', Uint8Array.of(1), 'a.jpg'],
])('calls %s by what it is', async (fileName, bytes, name) => {
  expect(await nameImage(datasetItem({ fileName, content: contentOf(bytes) }), new UniqueNames())).toBe(name);
});

it.each([
  ['the one that is known', { widthPx: 7, heightPx: 5 }, pngHeader(4, 2), { widthPx: 7, heightPx: 5 }],
  ['the one of its bytes, upright', null, pngHeader(4, 2, 6), { widthPx: 2, heightPx: 4 }],
  ['none where the known one has no width', { widthPx: 0, heightPx: 5 }, pngHeader(4, 2), null],
  ['none where it has no height', { widthPx: 7, heightPx: 0 }, pngHeader(4, 2), null],
  ['none of other bytes', null, Uint8Array.of(1), null],
])('tells a size: %s', async (_, sizePx, bytes, told) => {
  const report = new DatasetReport();
  expect(await sizeOf(datasetItem({ fileName: 'a.png', sizePx, content: contentOf(bytes) }), report)).toEqual(told);
  const said = 'Its size in pixels is unknown, and it is not a JPEG, PNG or WebP; left out.';
  expect(report.problems).toEqual(told ? [] : [{ severity: 'error', file: 'a.png', line: null, message: said }]);
});
