import { Code } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { checkedExtension, checkedFileName, safeExtension, safeFileName } from './file-names.ts';

describe('names of files', () => {
  it.each(['', 'a.png', '/root/.viam/capture/a b.png', 'C:\\data\\a.png', 'folder/a..b.png', 'ä…/名.jpg', '...'])(
    'takes %j',
    (name) => expect(checkedFileName(name)).toBe(name),
  );

  it.each(['..', '../a', 'a/../b', 'a\\..\\b', 'a/.. /b', 'a\u0000.png', 'a\nb', '\u007f'])('refuses %j', (name) => {
    expect(() => checkedFileName(name)).toThrow(expect.objectContaining({ code: Code.InvalidArgument }));
  });

  it.each([
    ['../../../../tmp/evil.png', 'tmp/evil.png'],
    ['/etc/passwd', 'etc/passwd'],
    ['C:\\Windows\\evil.dll', 'Windows/evil.dll'],
    ['a\\..\\..\\b', 'a/b'],
    ['a/.. /. /b', 'a/b'],
    ['.\u0000./evil', 'evil'],
    ['day 1/a.png', 'day 1/a.png'],
    ['..', ''],
  ])('gives %j out as %j', (name, expected) => expect(safeFileName(name)).toBe(expected));
});

describe('extensions of files', () => {
  it.each(['', '.png', '.tar.gz', '.jpg_original', '.c++'])('takes %j', (extension) => {
    expect(checkedExtension(extension)).toBe(extension);
  });

  it.each(['.', '..', '.png/../evil', '.png\\x', '.a.b.c.d', '.png\u0000', `.${'a'.repeat(17)}`, 'png'])(
    'refuses %j, and gives none out where one is stored',
    (extension) => {
      expect(() => checkedExtension(extension)).toThrow(expect.objectContaining({ code: Code.InvalidArgument }));
      expect(safeExtension(extension)).toBe('');
    },
  );
});
