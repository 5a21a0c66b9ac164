import { expect, it } from 'vitest';
import { stillMissing } from './still-missing.ts';

const source = (id: string, name: string, cameAtMs = 0) =>
  ({ id, kind: 'still', name, byteLength: 1, cameAtMs }) as const;
const missing = [source('1', 'left/a.png'), source('2', 'right/a.png'), source('3', 'b.png')];

it.each([
  ['nothing came', [], ['1', '2', '3']],
  ['one came back as itself', [source('2', 'right/a.png')], ['1', '3']],
  ['a file of that name was given anew', [source('9', 'b.png', 10)], ['1', '2']],
  ['its folder was given anew', [source('9', 'elsewhere/a.png', 10)], ['2', '3']],
  ['both folders were', [source('8', 'left/a.png', 10), source('9', 'right/a.png', 11)], ['3']],
  ['one of that name was there all the time', [source('9', 'b.png', 9)], ['1', '2', '3']],
])('what is missing after %s', (_, here, expected) => {
  expect(stillMissing(missing, here, 10).map(({ id }) => id)).toEqual(expected);
});
