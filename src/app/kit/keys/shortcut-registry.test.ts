import { describe, expect, it } from 'vitest';
import type { KeyPress } from './key-chord.ts';
import { ShortcutRegistry } from './shortcut-registry.svelte.ts';

const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
});

function registryWithLog(): { registry: ShortcutRegistry; log: string[]; removeRun: () => void } {
  const log: string[] = [];
  const registry = new ShortcutRegistry();
  const removeRun = registry.register({ chords: ['M'], does: 'Run', group: 'Frames', run: () => log.push('run') });
  registry.register(
    { chords: ['ArrowRight', 'F'], does: 'Next', group: 'Frames', repeats: true, run: () => log.push('next') },
    { chords: ['Shift'], does: 'Hide', group: 'Stage', run: () => log.push('hide'), release: () => log.push('show') },
  );
  return { registry, log, removeRun };
}

describe('ShortcutRegistry', () => {
  it('runs what matches and says so', () => {
    const { registry, log } = registryWithLog();
    expect(registry.press(press('m'), false)).toBe(true);
    expect(registry.press(press('x'), false)).toBe(false);
    expect(log).toEqual(['run']);
  });

  it('repeats only what may repeat, and swallows the rest', () => {
    const { registry, log } = registryWithLog();
    expect(registry.press(press('m'), true)).toBe(true);
    registry.press(press('f'), true);
    expect(log).toEqual(['next']);
  });

  it('leaves every key to a text field, and arrows to a control', () => {
    const { registry, log } = registryWithLog();
    expect(registry.press(press('m'), false, 'text')).toBe(false);
    expect(registry.press(press('ArrowRight'), false, 'control')).toBe(false);
    expect(registry.press(press('f'), false, 'control')).toBe(true);
    expect(log).toEqual(['next']);
  });

  it('takes undo and redo from a field where nothing is typed, and no other key', () => {
    const { registry, log } = registryWithLog();
    const chords = ['Mod+Z', 'Mod+Shift+Z', 'Mod+Y', 'Mod+C'];
    for (const chord of chords)
      registry.register({ chords: [chord], does: chord, group: 'Tuning', run: () => log.push(chord) });
    const keys = [press('z', { ctrlKey: true }), press('Z', { ctrlKey: true, shiftKey: true }), press('y', { ctrlKey: true })]; // prettier-ignore
    expect(keys.map((key) => registry.press(key, false, 'settled'))).toEqual([true, true, true]);
    expect(keys.map((key) => registry.press(key, false, 'text'))).toEqual([false, false, false]);
    for (const key of [press('c', { ctrlKey: true }), press('m'), press('f')])
      expect(registry.press(key, false, 'settled')).toBe(false);
    expect(log).toEqual(chords.slice(0, 3));
  });

  it('leaves to a button what presses it, and no arrow', () => {
    const { registry, log } = registryWithLog();
    registry.register({ chords: ['Space'], does: 'Stop', group: 'Frames', run: () => log.push('stop') });
    expect(registry.press(press(' '), false, 'none')).toBe(true);
    expect(registry.press(press(' '), false, 'button')).toBe(false);
    expect(registry.press(press('ArrowRight'), false, 'button')).toBe(true);
    expect(log).toEqual(['stop', 'next']);
  });

  it('releases a held key when it comes up or the window goes away', () => {
    const { registry, log } = registryWithLog();
    registry.press(press('Shift', { shiftKey: true }), false);
    registry.press(press('Shift', { shiftKey: true }), true);
    registry.release(press('Shift'));
    registry.press(press('Shift', { shiftKey: true }), false);
    registry.releaseAll();
    registry.releaseAll();
    expect(log).toEqual(['hide', 'show', 'hide', 'show']);
  });

  it('works in the areas that are named', () => {
    let here = 'evaluate';
    const log: string[] = [];
    const registry = new ShortcutRegistry(() => here);
    const key = (chord: string) => ({
      chords: [chord],
      does: chord,
      group: 'Tuning' as const,
      run: () => void log.push(`${chord} ${here}`),
    });
    registry.register(key('M'), { ...key('Z'), area: ['bench', 'evaluate'] });
    for (here of ['bench', 'evaluate', 'data']) for (const pressed of ['m', 'z']) registry.press(press(pressed), false);
    expect(log).toEqual(['M bench', 'Z bench', 'Z evaluate']);
  });

  it('leaves the keyboard to what took it over, but for the keys of both areas', () => {
    const { registry, log } = registryWithLog();
    const key = (chords: string[], does: string) => ({
      chords,
      does,
      group: 'Data' as const,
      run: () => void log.push(does),
    });
    registry.register({ ...key(['B', '?'], 'both'), area: 'both' });
    const leave = registry.register({ ...key(['D', '?'], 'editor'), exclusive: true });
    expect(registry.press(press('m'), false)).toBe(false);
    for (const pressed of ['d', '?', 'b']) registry.press(press(pressed), false);
    leave();
    for (const pressed of ['m', '?']) registry.press(press(pressed), false);
    expect(log).toEqual(['editor', 'editor', 'both', 'run', 'both']);
  });

  it('forgets a shortcut taken out', () => {
    const { registry, removeRun } = registryWithLog();
    removeRun();
    expect(registry.press(press('m'), false)).toBe(false);
    expect(registry.shortcuts.map((shortcut) => shortcut.does)).toEqual(['Next', 'Hide']);
  });
});
