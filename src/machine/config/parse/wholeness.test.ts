import { expect, it } from 'vitest';
import { parseDocument } from '../json/json-document.ts';
import { wholenessOf } from './wholeness.ts';

it.each([
  ['{"components": []}', true],
  ['{"components": [], "fragments": [], "remotes": []}', true],
  ['{"components": [], "fragments": ["id"]}', false],
  ['{"components": [], "remotes": [{}]}', false],
  ['{"services": []}', false],
  ['[]', false],
])('%s shows all of a machine: %s', (text, whole) => {
  expect(wholenessOf(parseDocument(text)).whole).toBe(whole);
});
