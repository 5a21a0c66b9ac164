import { expect, it } from 'vitest';
import { parseCommand } from '../../../tests/parse-command.ts';
import { UsageError } from '../record/usage-error.ts';

const shared = ['--database', 'postgres://s@db/n', '--blobs', 's3://pictures'];
const places = { database: { url: 'postgres://s@db/n' }, blobs: { bucket: 'pictures' } };

it('goes from a folder into a database and a bucket, or back', () => {
  const there = parseCommand(['move', '--from-data', 'd', ...shared]);
  expect(there).toMatchObject({ name: 'move', from: 'folder', dataDir: 'd', shared: places });
  const back = parseCommand(['move', '--to-data', 'd', ...shared]);
  expect(back).toMatchObject({ name: 'move', from: 'shared', dataDir: 'd', shared: places });
});

it.each([
  ['no folder', shared, /either --from-data DIR/],
  ['two folders', ['--from-data', 'a', '--to-data', 'b', ...shared], /either --from-data DIR/],
  ['an empty folder', ['--from-data', '', ...shared], /without a value/],
  ['no database', ['--from-data', 'a'], /wants --database and --blobs/],
  ['a word too many', ['b', '--from-data', 'a', ...shared], /wants no "b"/],
])('wants one of each place: %s', (_, args, message) => {
  expect(() => parseCommand(['move', ...args])).toThrow(UsageError);
  expect(() => parseCommand(['move', ...args])).toThrow(message);
});
