import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rooms } from './import-walls.ts';
import { mappedFolders, withWalls } from './map-of-walls.ts';

const contributing = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');

it('is what CONTRIBUTING.md says ("npm run map" writes it)', () => {
  expect(contributing).toBe(withWalls(contributing));
});

it('has a row for each folder of CONTRIBUTING.md, and the other way round', () => {
  const withoutCode = ['assets', 'assembly', 'docs/decisions'];
  const paths = rooms.map(({ path }) => path).filter((path) => path !== '.');
  expect(
    mappedFolders(contributing)
      .filter((path) => !withoutCode.includes(path))
      .sort(),
  ).toEqual(paths.sort());
});

it.each([
  ['src/capture', '`src/config/without-secrets.ts`; types of `src/config` `src/vision`; @zip.js/zip.js'],
  ['src/platform/decode', '`src/vision`'],
  [
    'src/platform/node',
    '`src/vision` `src/tflite/read-tflite.ts` `src/data-service/ports` `src/data-service/query/answer-queries.ts` `src/data-service/query/isolated-query-runner.ts` `src/data-service/query/query-rows.ts` `src/platform/data-store` `src/platform/decode` `src/platform/litert` `src/platform/onnxruntime`; types of `src/data-service`; node:*; one of @litertjs/core, fast-png, onnxruntime-web a file',
  ],
  ['tests', 'all'],
])('says what %s may import', (path, words) => {
  const before = `| folder | what | may import |\n|---|---|---|\n| \`${path}\` | a folder, b | BEFORE |\n| \`docs/x\` | y | – |\n`;
  expect(withWalls(before)).toBe(before.replace('BEFORE', words));
});
