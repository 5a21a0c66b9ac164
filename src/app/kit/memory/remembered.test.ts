import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import { openMemory, openTabMemory, recall, remember } from './remembered.ts';

it('lasts as long as the page where storage is blocked', () => {
  const memory = openMemory(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  remember(memory, 'backend', 'wasm');
  expect(recall(memory, 'backend')).toBe('wasm');
  expect(recall(memory, 'other')).toBeNull();
});

describe('the memory of a tab', () => {
  it('is found again by a reload, whatever another tab wrote, and goes on in a new tab where any tab wrote last', () => {
    const shared = memoryStorage();
    const [tab, otherTab] = [memoryStorage(), memoryStorage()];
    remember(openTabMemory(tab, shared), 'model', 'a');
    remember(openTabMemory(otherTab, shared), 'model', 'b');
    expect(recall(openTabMemory(tab, shared), 'model')).toBe('a');
    expect(recall(openTabMemory(otherTab, shared), 'model')).toBe('b');
    expect(recall(openTabMemory(memoryStorage(), shared), 'model')).toBe('b');
  });

  it('lets no older value of a tab that is full hide the newer one', () => {
    const [tab, shared] = [memoryStorage(), memoryStorage()];
    remember(openTabMemory(tab, shared), 'model', 'a');
    const full = {
      ...tab,
      setItem() {
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    remember(openTabMemory(full, shared), 'model', 'b');
    expect(recall(openTabMemory(tab, shared), 'model')).toBe('b');
  });

  it('says that what new tabs begin with is not kept', () => {
    const refusing = openMemory(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    const memory = openTabMemory(memoryStorage(), refusing);
    expect(() => memory.setItem('model', 'a')).toThrow('keeps nothing');
    expect(memory.getItem('model')).toBe('a');
  });
});
