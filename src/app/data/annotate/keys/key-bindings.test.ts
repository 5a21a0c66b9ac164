import { describe, expect, it } from 'vitest';
import { chordOf } from '../../../kit/keys/key-chord.ts';
import { editorActions } from './editor-actions.ts';
import { findClashes, parseBindings, refusalOf, withChords } from './key-bindings.ts';
import { KeySettings } from './key-settings.svelte.ts';

const action = (id: string) => editorActions.find((one) => one.id === id)!;
const clashesOf = (bindings: Parameters<typeof findClashes>[0]) =>
  findClashes(bindings).map(({ chord, actions }) => `${chord}: ${actions.map(({ id }) => id).join(' ')}`);
const memory = (kept = new Map<string, string>()) => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
});

describe('the keys of the editor', () => {
  it('do not clash as they come, and every action has one', () => {
    expect(clashesOf({})).toEqual([]);
    expect(editorActions.filter(({ chords }) => chords.length === 0)).toEqual([]);
    expect(new Set(editorActions.map(({ id }) => id)).size).toBe(editorActions.length);
  });

  it.each([
    [{ draw: ['A'] }, ['A: draw accept']],
    [{ draw: ['A'], accept: ['N'] }, []],
    [{ 'edit-label': ['ArrowLeft'] }, ['ArrowLeft: edit-label move-left']],
    [{ 'next-image': ['ArrowLeft'] }, ['ArrowLeft: move-left next-image previous-image-unselected']],
  ])('%j', (bindings, expected) => {
    expect(clashesOf(bindings)).toEqual(expected);
  });

  it('lets arrows move a selected box and go to other images when none is', () => {
    expect(action('move-left').chords).toEqual(action('previous-image-unselected').chords);
  });

  it('writes down only what differs from how it came', () => {
    const changed = withChords({}, action('draw'), ['W']);
    expect(changed).toEqual({ draw: ['W'] });
    expect(withChords(changed, action('draw'), ['N'])).toEqual({});
  });

  it('does not take a key that the browser keeps', () => {
    const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
    expect(refusalOf(chordOf({ ...plain, key: 'w', ctrlKey: true })!)).not.toBe('');
    expect(refusalOf(chordOf({ ...plain, key: 'w' })!)).toBe('');
  });

  it('reads what an earlier visit wrote, and nothing else', () => {
    expect(parseBindings({ draw: ['W'], fly: ['X'], accept: 'A', reject: [1] })).toEqual({ draw: ['W'] });
    expect(parseBindings('x')).toEqual({});
  });
});

describe('KeySettings', () => {
  it('remembers what is saved, and saves no clash', () => {
    const kept = memory();
    const keys = new KeySettings(kept);
    expect(keys.save({ draw: ['A'] })).toBe(false);
    expect(keys.chordsOf(action('draw'))).toEqual(['N']);
    expect(keys.save({ draw: ['W'] })).toBe(true);
    expect(new KeySettings(kept).chordsOf(action('draw'))).toEqual(['W']);
  });
});
