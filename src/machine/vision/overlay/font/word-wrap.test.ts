import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { overlayFace } from '../overlay-face.ts';
import { wordWrap } from './word-wrap.ts';

const file = readFileSync(new URL('../../../../../public/fonts/Go-Regular.ttf', import.meta.url));
const face = overlayFace(new Uint8Array(file).buffer);

// An A is 20.02 px wide, a space 8.33 px; widths are cut to whole pixels.
it.each<[string, number, string[]]>([
  ['A A', 48, ['A A']], // 48.36
  ['A A', 47, ['A', 'A']],
  ['A A ', 48, ['A A']],
  ['A  A', 56, ['A  A']],
  ['A  A', 55, ['A', 'A']],
  ['AA A A', 48, ['AA', 'A A']],
  ['A AAAA A', 30, ['A', 'AAAA', 'A']], // too wide for any line
  ['AAAA A', 30, ['AAAA', 'A']],
  ['A\nA', 99, ['A', 'A']],
  ['A\nA A', 48, ['A', 'A A']],
  ['A\n\nA', 48, ['A', 'A']], // an empty line takes no place
  ['  A', 99, ['A']],
  ['  A A', 46, ['A A']], // leading spaces count as the word, so this breaks before a space at most
  ['A\u0085A\u00a0A\tA', 25, ['A', 'A', 'A', 'A']],
  ['A\ufeffA', 25, ['A\ufeffA']], // a byte order mark is no space
  ['', 10, []],
])('breaks %j at %i px into %j', (text, widthPx, lines) => {
  expect(wordWrap(text, widthPx, face)).toEqual(lines);
});
