import { expect, it } from 'vitest';
import { openMemory, recall, remember } from './remembered.ts';

it('lasts as long as the page where storage is blocked', () => {
  const memory = openMemory(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  remember(memory, 'backend', 'wasm');
  expect(recall(memory, 'backend')).toBe('wasm');
  expect(recall(memory, 'other')).toBeNull();
});
