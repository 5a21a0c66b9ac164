import { expect, it } from 'vitest';
import { RowSelection } from './row-selection.svelte.ts';

it('holds rows one by one', () => {
  const selection = new RowSelection();
  selection.set(['a', 'b']);
  selection.toggle('c');
  selection.toggle('a');
  expect([selection.has('a'), selection.has('b'), selection.has('c'), selection.count(100)]).toEqual([
    false,
    true,
    true,
    2,
  ]);
});

it('holds all but some, without knowing them', () => {
  const selection = new RowSelection();
  selection.setAll();
  selection.toggle('a');
  expect([selection.has('a'), selection.has('unseen'), selection.count(100_000)]).toEqual([false, true, 99_999]);
  selection.add(['a']);
  expect(selection.count(100_000)).toBe(100_000);
  selection.clear();
  expect([selection.has('unseen'), selection.count(100_000)]).toEqual([false, 0]);
});
