import { describe, expect, it } from 'vitest';
import { mendJson, unreadable } from './json-mistakes.ts';

describe('unreadable', () => {
  it.each([
    ['strict JSON', '{"services": []}', null],
    ['a comment', '{\n  // mine\n}', [2, 3, 'JSON has no comments: the machine refuses this one.']],
    ['a trailing comma', '{"a": 1,\n}', [1, 8, 'JSON has no comma after the last item: the machine refuses this one.']],
    ['a byte order mark', '\uFEFF{}', [1, 1, expect.stringContaining('byte order mark (U+FEFF)')]],
    ['an open bracket', '{"services": [', [1, 15, expect.any(String)]],
    ['a list', '\n[1]', [2, 1, expect.stringContaining('is a JSON object')]],
    ['nothing', '', [1, 1, expect.any(String)]],
  ])('%s', (_, text, expected) => {
    const found = unreadable(text);
    expect(found && [found.line, found.column, found.message]).toEqual(expected);
  });
});

describe('mendJson', () => {
  it.each([
    ['{\n  // mine\n  "a": 1\n}\n', 'Remove the comment', '{\n  "a": 1\n}\n'],
    ['{\r\n  // mine\r\n  "a": 1\r\n}', 'Remove the comment', '{\r\n  "a": 1\r\n}'],
    ['{"a": 1, // one\n"b": 2}', 'Remove the comment', '{"a": 1,\n"b": 2}'],
    ['{"a": /* one */ 1}', 'Remove the comment', '{"a":  1}'],
    ['{}\n// end', 'Remove the comment', '{}\n'],
    ['{"a": [1, 2,], }', 'Remove 2 trailing commas', '{"a": [1, 2] }'],
    ['{"a": [1, // one\n]}', 'Remove the comment and the trailing comma', '{"a": [1\n]}'],
    ['\uFEFF{"a": 1}', 'Remove the byte order mark', '{"a": 1}'],
    ['\uFEFF// a\n{"a": 1, /* b */ }', 'Remove the byte order mark, 2 comments and the trailing comma', '{"a": 1  }'],
    [
      '{"a": "// no comment, ]", /* but this */ "b": "/* nor this */,}"}',
      'Remove the comment',
      '{"a": "// no comment, ]",  "b": "/* nor this */,}"}',
    ],
  ])('%j', (text, title, mended) => {
    expect(mendJson(text)).toEqual({ title, text: mended });
  });

  it.each(['{"a": 1}', '{"a": 1', '// a\n{"a": 1', '{"a": 1,, }', '/* open', ''])(
    'has nothing to offer for %j',
    (text) => {
      expect(mendJson(text)).toBeNull();
    },
  );
});
