import { describe, expect, it } from 'vitest';
import { EditHistory } from './edit-history.svelte.ts';

const typed = (...values: [string | null, number, number][]): EditHistory<number> => {
  const history = new EditHistory<number>();
  for (const [key, before, after] of values) history.record({ label: `to ${after}`, before, after }, key);
  return history;
};

describe('EditHistory', () => {
  it('walks back and forth', () => {
    const history = typed([null, 0, 1], [null, 1, 2]);
    expect(history.undoLabel).toBe('to 2');
    expect(history.undo()).toBe(1);
    expect(history.redoLabel).toBe('to 2');
    expect(history.undo()).toBe(0);
    expect(history.undo()).toBeNull();
    expect(history.redo()).toBe(1);
    expect(history.redo()).toBe(2);
    expect(history.redo()).toBeNull();
  });

  it('takes back what a step did beside the value, and does it again', async () => {
    const history = typed([null, 0, 1]);
    const log: string[] = [];
    const beside = { undo: () => log.push('undo'), redo: () => log.push('redo') };
    history.record({ label: 'model', before: 1, after: 2, beside });
    history.record({ label: 'to 3', before: 2, after: 3 }, 'drag');
    history.undo();
    await Promise.resolve();
    expect(log).toEqual([]);
    expect(history.undo()).toBe(1);
    await Promise.resolve();
    expect(log).toEqual(['undo']);
    expect(history.redo()).toBe(2);
    await Promise.resolve();
    expect(log).toEqual(['undo', 'redo']);
  });

  it('makes one step of changes that share a key', () => {
    const history = typed(['drag', 0, 1], ['drag', 1, 2], ['drag', 2, 3]);
    expect(history.undo()).toBe(0);
    expect(history.undoLabel).toBeNull();
    expect(history.redo()).toBe(3);
  });

  it('starts a new step for another key, no key, or after settle', () => {
    const otherKey = typed(['a', 0, 1], ['b', 1, 2]);
    expect(otherKey.undo()).toBe(1);
    const noKey = typed(['a', 0, 1], [null, 1, 2]);
    expect(noKey.undo()).toBe(1);
    const settled = typed(['a', 0, 1]);
    settled.settle();
    settled.record({ label: 'again', before: 1, after: 2 }, 'a');
    expect(settled.undo()).toBe(1);
    expect(settled.undo()).toBe(0);
  });

  it('does not merge into a step that was undone and redone', () => {
    const history = typed(['a', 0, 1]);
    history.undo();
    history.redo();
    history.record({ label: 'later', before: 1, after: 2 }, 'a');
    expect(history.undo()).toBe(1);
  });

  it('forgets the undone steps once something new is done', () => {
    const history = typed([null, 0, 1], [null, 1, 2]);
    history.undo();
    history.record({ label: 'other', before: 1, after: 9 });
    expect(history.redo()).toBeNull();
    expect(history.undo()).toBe(1);
  });
});
