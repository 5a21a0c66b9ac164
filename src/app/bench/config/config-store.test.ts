import { expect, it, vi } from 'vitest';
import { ConfigState } from './config-state.svelte.ts';
import { ConfigStore } from './config-store.ts';

const config = { text: '{}', importedText: '{}', disabled: [], vision: null };

it('says once that the browser keeps nothing, and again after it did', () => {
  let isFull = true;
  const kept: string[] = [];
  const store = new ConfigStore({
    getItem: () => null,
    setItem(_, value) {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
      kept.push(value);
    },
  });
  const refused = vi.fn();
  const save = () => {
    store.save(() => config, refused);
    store.flush();
  };
  save();
  save();
  expect([refused.mock.calls.length, kept]).toEqual([1, []]);
  isFull = false;
  save();
  isFull = true;
  save();
  expect([refused.mock.calls.length, kept]).toEqual([2, [JSON.stringify(config)]]);
});

it('is told on the bench, which goes on', () => {
  const store = new ConfigStore({
    getItem: () => null,
    setItem() {
      throw new Error('This browser keeps nothing for the page.');
    },
  });
  const state = new ConfigState({ store });
  expect(state.notice).toBe('');
  state.typeText('{"services": []}');
  store.flush();
  expect([state.notice.includes('Export it before you leave'), state.text]).toEqual([true, '{"services": []}']);
});
