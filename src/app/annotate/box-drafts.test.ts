import { describe, expect, it } from 'vitest';
import { BoxDrafts, type DraftStorage } from './box-drafts.ts';
import { memoryStorage } from '../../../tests/memory-storage.ts';

const value = { label: 'cup', xMin: 0.1, yMin: 0.2, xMax: 0.3, yMax: 0.4, confidence: 0.9 };
const draft = {
  kept: [{ key: 'a', saved: { ...value, id: 'server-a' } }],
  boxes: [{ ...value, key: 'a', predicted: false, confidence: null }],
  sent: [{ kind: 'add' as const, key: 'b', box: value }],
};

describe('BoxDrafts', () => {
  it('gives back what it was given, by image', () => {
    const storage = memoryStorage();
    const drafts = new BoxDrafts(storage);
    expect(drafts.write('o/l/one', draft)).toBe(true);
    storage.setItem('something else', '1');
    expect(new BoxDrafts(storage).read('o/l/one')).toEqual(draft);
    expect(drafts.read('o/l/two')).toBeNull();
    expect(drafts.imageIds()).toEqual(['o/l/one']);
    drafts.remove('o/l/one');
    expect(drafts.imageIds()).toEqual([]);
  });

  it.each([
    ['no JSON', '{'],
    ['another version', JSON.stringify({ ...draft, version: 2 })],
    ['a corner outside', JSON.stringify({ ...draft, version: 1, boxes: [{ ...draft.boxes[0], xMin: 7 }] })],
    ['a box without a key', JSON.stringify({ ...draft, version: 1, boxes: [value] })],
    ['a kept box without an id', JSON.stringify({ ...draft, version: 1, kept: [{ key: 'a', saved: value }] })],
  ])('reads nothing of %s', (_, text) => {
    const storage = memoryStorage();
    storage.setItem('sightglass:boxes:one', text);
    expect(new BoxDrafts(storage).read('one')).toBeNull();
  });

  it('says when a draft is not kept', () => {
    const full: DraftStorage = {
      ...memoryStorage(),
      setItem: () => {
        throw new Error('QuotaExceededError');
      },
    };
    expect(new BoxDrafts(full).write('one', draft)).toBe(false);
    expect(new BoxDrafts(null).write('one', draft)).toBe(false);
  });
});
