import { describe, expect, it } from 'vitest';
import { ExportNote } from './export-note.svelte.ts';

describe('the note beside the export', () => {
  const open = () => {
    let present: readonly string[] = ['{"a":1}', 'whole'];
    const note = new ExportNote(() => present);
    const become = (...items: readonly string[]): void => {
      present = items;
      note.follow();
    };
    return { note, become };
  };

  it('stands while what it was said of is the same', () => {
    const { note, become } = open();
    note.say('Copied.');
    become('{"a":1}', 'whole');
    expect(note.words).toBe('Copied.');
  });

  it('goes with each change, and does not come back by undo', () => {
    const { note, become } = open();
    note.say('Saved as machine.json. The configuration describes a.onnx; on the stage is b.onnx.');
    become('{"a":2}', 'whole');
    expect(note.words).toBe('');
    become('{"a":1}', 'whole');
    expect(note.words).toBe('');
    note.say('Saved as machine.json.');
    become('{"a":1}', 'whole', 'The configuration describes a.onnx; on the stage is c.onnx.');
    expect(note.words).toBe('');
  });

  it('is not said of what came after a copy was asked for', () => {
    const { note, become } = open();
    const about = note.about();
    become('{"a":2}', 'whole');
    note.say('Copied.', about);
    expect(note.words).toBe('');
  });
});
