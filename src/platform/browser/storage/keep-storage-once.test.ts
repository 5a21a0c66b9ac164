import { expect, it } from 'vitest';
import { keepStorageOnce } from './keep-storage-once.ts';

it('asks when something is first kept, and at no later visit', () => {
  let asked = 0;
  const room = { askToPersist: async () => ++asked > 0 };
  const kept = new Map<string, string>();
  const memory = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  };
  const keep = keepStorageOnce(room, memory);
  expect(asked).toBe(0);
  keep();
  keep();
  keepStorageOnce(room, memory)();
  expect(asked).toBe(1);
});

it('asks at each visit where nothing is remembered', () => {
  let asked = 0;
  const refusing = () => {
    throw new DOMException('blocked', 'SecurityError');
  };
  const room = { askToPersist: () => Promise.reject(new Error(`${++asked}`)) };
  for (let visit = 0; visit < 2; visit++) keepStorageOnce(room, { getItem: refusing, setItem: refusing })();
  expect(asked).toBe(2);
});
