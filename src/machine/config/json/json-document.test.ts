import { expect, it } from 'vitest';
import { lint } from '../lint/lint.ts';
import { parseDocument } from './json-document.ts';

const nested = (depth: number, [open, close] = ['[', ']']): string => open!.repeat(depth) + close!.repeat(depth);

it.each([
  ['500 brackets in each other', nested(500), []],
  ['501 brackets in each other', nested(501), ['NestedTooDeeply']],
  ['a hundred thousand that never close', '['.repeat(100_000), ['NestedTooDeeply']],
  ['objects as deep', '{"a":'.repeat(501), ['NestedTooDeeply']],
  ['many beside each other', `[${Array(2000).fill('{}').join()}]`, []],
  ['brackets in a text', `"${'['.repeat(2000)}"`, []],
])('of %s: %j', (_, text, codes) => {
  expect(parseDocument(text).errors.map(({ code }) => code)).toEqual(codes);
});

it('says where a text is nested too deeply', () => {
  expect(lint('['.repeat(100_000))).toEqual([
    expect.objectContaining({
      code: 'json-syntax',
      severity: 'error',
      offset: 500,
      message: expect.stringContaining('More than 500 brackets'),
    }),
  ]);
});
