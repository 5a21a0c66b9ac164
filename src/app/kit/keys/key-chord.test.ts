import { describe, expect, it } from 'vitest';
import { chordOf, keyCaps, matchesChord, type KeyPress } from './key-chord.ts';

const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});

describe('matchesChord', () => {
  it.each<[string, KeyPress, boolean]>([
    ['M', press('m'), true],
    ['M', press('M', { shiftKey: true }), false],
    ['M', press('m', { ctrlKey: true }), false],
    ['Mod+Z', press('z', { ctrlKey: true }), true],
    ['Mod+Z', press('z', { metaKey: true }), true],
    ['Mod+Z', press('Z', { ctrlKey: true, shiftKey: true }), false],
    ['Mod+Shift+Z', press('Z', { ctrlKey: true, shiftKey: true }), true],
    ['?', press('?', { shiftKey: true }), true],
    ['?', press('?'), true],
    ['Space', press(' '), true],
    ['ArrowLeft', press('ArrowLeft'), true],
    ['ArrowLeft', press('ArrowLeft', { altKey: true }), false],
    ['Alt+ArrowUp', press('ArrowUp', { altKey: true }), true],
    ['1', press('1'), true],
  ])('%s on %o is %s', (chord, pressed, expected) => {
    expect(matchesChord(chord, pressed)).toBe(expected);
  });
});

describe('chordOf', () => {
  it.each<[string | null, KeyPress]>([
    ['M', press('m')],
    ['Shift+M', press('M', { shiftKey: true })],
    ['Mod+Shift+Z', press('Z', { metaKey: true, shiftKey: true })],
    ['?', press('?', { shiftKey: true })],
    ['Space', press(' ')],
    ['Shift+Space', press(' ', { shiftKey: true })],
    ['Mod+ArrowLeft', press('ArrowLeft', { ctrlKey: true })],
    ['1', press('1')],
    [null, press('Shift', { shiftKey: true })],
    [null, press('Dead')],
  ])('%s of %o', (chord, pressed) => {
    expect(chordOf(pressed)).toBe(chord);
    if (chord) expect(matchesChord(chord, pressed)).toBe(true);
  });

  it('is not the plus sign taken for a joint', () => {
    expect(matchesChord(chordOf(press('+', { shiftKey: true }))!, press('+', { shiftKey: true }))).toBe(true);
  });
});

describe('keyCaps', () => {
  it.each([
    ['Mod+Shift+Z', false, ['Ctrl', 'Shift', 'Z']],
    ['Mod+Z', true, ['⌘', 'Z']],
    ['ArrowLeft', false, ['←']],
  ])('%s', (chord, mac, expected) => {
    expect(keyCaps(chord, mac)).toEqual(expected);
  });
});
