import type {} from '@vitest/browser-playwright';
import { mount, unmount } from 'svelte';
import { afterEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import NumberField from '../../src/app/kit/controls/NumberField.svelte';
import { ShortcutRegistry } from '../../src/app/kit/keys/shortcut-registry.svelte.ts';

let close: () => void = () => undefined;
afterEach(() => close());

/** A field with the value 0.5, its committed and typed values, and the number of key events that bubbled out of it. */
function aField() {
  const committed: number[] = [];
  let keysOn = 0;
  const onKey = () => (keysOn += 1);
  const target = document.createElement('div'); // key events bubble from here to the body
  document.body.replaceChildren(target);
  const typed: (number | null)[] = [];
  const props = {
    label: 'Threshold',
    value: 0.5,
    max: 1,
    onCommit: (value: number) => committed.push(value),
    onInput: (value: number | null) => typed.push(value),
  };
  const field = mount(NumberField, { target, props });
  document.body.addEventListener('keydown', onKey);
  close = () => {
    document.body.removeEventListener('keydown', onKey);
    void unmount(field);
  };
  return { field: page.getByLabelText('Threshold'), committed, typed, keysOn: () => keysOn };
}

it('commits a number that was typed, once, at Enter', async () => {
  const { field, committed } = aField();
  await userEvent.fill(field, '0.9');
  await userEvent.keyboard('{Enter}{Tab}');
  expect(committed).toEqual([0.9]);
});

it('puts its number back at Esc, and commits nothing', async () => {
  const { field, committed, keysOn } = aField();
  await userEvent.fill(field, '0.9');
  await userEvent.keyboard('{Escape}');
  await expect.element(field).toHaveValue(0.5);
  expect(keysOn()).toBe(0);
  await userEvent.keyboard('{Escape}');
  expect(keysOn()).toBe(1);
  await userEvent.keyboard('{Tab}');
  expect(committed).toEqual([]);
});

it('takes a comma for the decimal point', async () => {
  const { field, committed } = aField();
  await userEvent.clear(field);
  await userEvent.click(field);
  await userEvent.keyboard('0,8{Enter}');
  expect(committed).toEqual([0.8]);
});

it('tells what stands there while it is typed, that it is not a number in range, and that it is put back', async () => {
  const { field, committed, typed } = aField();
  await userEvent.fill(field, '0.25');
  await userEvent.fill(field, '2');
  await userEvent.fill(field, '');
  await userEvent.keyboard('{Tab}');
  expect([typed, committed]).toEqual([[0.25, null, null, 0.5], []]);
  await userEvent.fill(field, '0.75');
  await userEvent.keyboard('{Escape}');
  expect([typed.slice(4), committed]).toEqual([[0.75, 0.5], []]);
});

it('leaves undo to the page where nothing is typed, and keeps it while something is', async () => {
  const { field } = aField();
  const shortcuts = new ShortcutRegistry();
  let undone = 0;
  shortcuts.register({ chords: ['Mod+Z'], does: 'Undo', group: 'Tuning', run: () => (undone += 1) });
  const stop = shortcuts.listen(window);
  await userEvent.click(field);
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(undone).toBe(1);
  await userEvent.fill(field, '0.9');
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(undone).toBe(1);
  stop();
});
