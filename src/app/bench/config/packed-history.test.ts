import { expect, it } from 'vitest';
import { setDefaultConfidence } from '../../../machine/config/edit/edit-config.ts';
import { addStep, switchStep } from '../../../machine/config/edit/edit-pipeline.ts';
import { sampleConfigText } from '../../../machine/config/share/sample-config.ts';
import { ConfigState } from './config-state.svelte.ts';
import { ConfigStore } from './config-store.ts';
import { isPackedHistory } from './packed-history.ts';

function visits() {
  const kept = new Map<string, string>();
  let room = Infinity;
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, value);
    },
  };
  const limitRoom = (characters: number) => (room = characters);
  let store = new ConfigStore(storage);
  const reload = (): ConfigState => {
    store.flush();
    return new ConfigState({ store: (store = new ConfigStore(storage)) });
  };
  return { reload, limitRoom };
}

const threshold = (state: ConfigState, value: number, coalesce?: string) =>
  state.edit(`To ${value}`, (text) => setDefaultConfidence(text, 'detector', value), coalesce ? { coalesce } : {});

const walk = (state: ConfigState, direction: 'undo' | 'redo'): readonly unknown[] => {
  const seen: unknown[] = [];
  while ((direction === 'undo' ? state.undoLabel : state.redoLabel) !== null) {
    seen.push(direction === 'undo' ? state.undoLabel : state.redoLabel);
    state[direction]();
    seen.push(state.text, state.importedText, state.disabled, state.visionName, state.unreadFile);
  }
  return seen;
};

function tuned(state: ConfigState): void {
  for (const value of [0.6, 0.7]) threshold(state, value, 'drag');
  state.settle();
  state.editSteps('Crop', (edit) => addStep(edit, 'tuned-camera', 0, { type: 'crop' }));
  state.editSteps('Off', (edit) => switchStep(edit, 'tuned-camera', 1, false));
  state.importFile(sampleConfigText.replaceAll('detector"', 'other"'), 'other.json');
  state.importFile(sampleConfigText.replace('{', '{ // mine'), 'mine.json');
  state.mend();
  threshold(state, 0.9);
}

it('goes back and forth after a reload as before it', () => {
  const here = visits();
  const first = here.reload();
  tuned(first);
  const second = here.reload();
  expect(second.text).toBe(first.text);
  expect(walk(second, 'undo')).toEqual(walk(first, 'undo'));
  const third = here.reload();
  expect(third.text).toBe(sampleConfigText);
  expect(walk(third, 'redo')).toEqual(walk(first, 'redo'));
});

it('makes no one step of a drag before a reload and one after it', () => {
  const here = visits();
  threshold(here.reload(), 0.6, 'drag');
  const state = here.reload();
  threshold(state, 0.7, 'drag');
  state.undo();
  expect(state.filter.defaultMinimumConfidence).toBe(0.6);
});

it('says of a step that did more than edit the text that undo leaves the rest', () => {
  const here = visits();
  const first = here.reload();
  const beside = { undo: () => {}, redo: () => {} };
  first.edit('Fitted model', (text) => setDefaultConfidence(text, 'detector', 0.7), { beside });
  expect(first.undoLabel).toBe('Fitted model');
  here.reload();
  expect(here.reload().undoLabel).toBe('Fitted model (only in the configuration)');
});

it('keeps the latest steps where there are too many, and the configuration where there is no room for them', () => {
  const here = visits();
  const first = here.reload();
  for (let at = 1; at <= 5; at++) {
    first.typeText(`{"services": [], "note": "${String(at).repeat(60_000)}"}`);
    first.settle();
  }
  const texts = [first.text];
  const second = here.reload();
  while (second.undoLabel !== null) {
    second.undo();
    texts.push(second.text);
  }
  expect(texts.map((text) => text.slice(26, 28))).toEqual(['55', '44', '33', '22']);
  here.limitRoom(100_000);
  const last = here.reload();
  last.typeText('{"services": []}');
  const bare = here.reload();
  expect([bare.text, last.notice]).toEqual(['{"services": []}', '']);
});

it.each([
  [{ past: [], future: [] }, true],
  [{ past: [{ label: 'a', to: { text: [0, 1, 'x'], runs: null } }], future: [] }, true],
  [{ past: [{ label: 'a', to: { text: [0, 1] } }], future: [] }, false],
  [{ past: [{ to: {} }], future: [] }, false],
  [{ past: [{ label: 'a', to: { unreadFile: 1 } }], future: [] }, false],
  [{ past: [] }, false],
  [null, false],
])('tells %j from what else may be in the storage', (value, expected) => {
  expect(isPackedHistory(value)).toBe(expected);
});
