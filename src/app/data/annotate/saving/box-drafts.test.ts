import { describe, expect, it } from 'vitest';
import { BoxDrafts, type DraftStorage } from './box-drafts.ts';
import { memoryStorage } from '../../../../../tests/memory-storage.ts';

const value = {
  label: 'cup',
  confidence: 0.9 as number | null,
  xMinNormalized: 0.1,
  yMinNormalized: 0.2,
  xMaxNormalized: 0.3,
  yMaxNormalized: 0.4,
};
const draft = draftOf(value);
const storedValue = { label: 'cup', confidence: 0.9 as number | null, xMin: 0.1, yMin: 0.2, xMax: 0.3, yMax: 0.4 };
const stored = { version: 1, ...draftOf(storedValue) };

function draftOf<Value extends object>(box: Value) {
  return {
    kept: [{ key: 'a', saved: { ...box, id: 'server-a' } }],
    boxes: [{ ...box, key: 'a', predicted: false, confidence: null }],
    sent: [
      { kind: 'add' as const, key: 'b', box },
      { kind: 'remove' as const, key: 'c', id: 'server-c' },
    ],
  };
}

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

  it('writes and reads the corners under the names of the first drafts', () => {
    const storage = memoryStorage();
    storage.setItem('sightglass:boxes:one', JSON.stringify(stored));
    expect(new BoxDrafts(storage).read('one')).toEqual(draft);
    new BoxDrafts(storage).write('two', draft);
    expect(JSON.parse(storage.getItem('sightglass:boxes:two')!)).toEqual(stored);
  });

  it.each([
    ['no JSON', '{'],
    ['another version', JSON.stringify({ ...stored, version: 2 })],
    ['a corner outside', JSON.stringify({ ...stored, boxes: [{ ...stored.boxes[0]!, xMin: 7 }] })],
    ['a box without a key', JSON.stringify({ ...stored, boxes: [storedValue] })],
    ['a kept box without an id', JSON.stringify({ ...stored, kept: [{ key: 'a', saved: storedValue }] })],
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
