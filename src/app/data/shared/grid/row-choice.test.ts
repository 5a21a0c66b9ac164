import { expect, it } from 'vitest';
import { deferred } from '../../../../../tests/deferred.ts';
import { RowChoice } from './row-choice.svelte.ts';

it('selects the range that was asked for last, whenever its rows are read', async () => {
  const slow = deferred<readonly string[]>();
  const choice = new RowChoice(() => ({
    count: 10,
    idAt: (index) => `row ${index}`,
    idsBetween: (_, to) => (to === 9 ? slow.promise : Promise.resolve([`to ${to}`])),
  }));
  await choice.choose(2, { extend: false, toggle: false });
  expect(choice.selection.has('row 2')).toBe(true);
  const late = choice.choose(9, { extend: true, toggle: false });
  await choice.choose(4, { extend: true, toggle: false });
  slow.resolve(['to 9']);
  await late;
  expect([choice.selection.has('to 4'), choice.selection.has('to 9'), choice.current]).toEqual([true, false, 4]);
});
