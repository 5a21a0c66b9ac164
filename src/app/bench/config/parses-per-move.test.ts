import type * as jsonc from 'jsonc-parser';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import {
  setAllLabelConfidences,
  setDefaultConfidence,
  setLabelConfidence,
  setMeanStd,
} from '../../../machine/config/edit/edit-config.ts';
import { changedResources } from '../../../machine/config/share/export-config.ts';
import { lint } from '../../../machine/config/lint/lint.ts';
import { ConfigState } from './config-state.svelte.ts';

const parsed = vi.hoisted((): string[] => {
  vi.resetModules(); // test files share modules: those loaded before have the parser itself
  return [];
});
vi.mock('jsonc-parser', async (importOriginal) => {
  const original = await importOriginal<typeof jsonc>();
  return {
    ...original,
    parseTree: (...given: Parameters<typeof original.parseTree>) => {
      parsed.push(given[0]);
      return original.parseTree(...given);
    },
  };
});

const texts = (attributes: object): string =>
  JSON.stringify({
    services: [
      { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm', ...attributes } },
    ],
  });

/** A linted configuration whose changes are listed, as with the drawer open. */
function opened(attributes: object): ConfigState {
  const state = new ConfigState();
  state.lintBy(lint);
  state.importText(texts(attributes));
  changedResources(state.importedText, state.text);
  parsed.length = 0;
  return state;
}

function move(state: ConfigState, change: (text: string) => string): void {
  state.edit('Threshold', change, { coalesce: 'drag' });
  void [state.config, state.findings, state.unreadable, state.refusedWhole];
  changedResources(state.importedText, state.text);
}

beforeEach(() => void (parsed.length = 0));
afterAll(() => void vi.resetModules());

it.each<[string, object, (text: string, value: number) => string]>([
  ['the default threshold', {}, (text, value) => setDefaultConfidence(text, 'v', value)],
  [
    "a label's threshold",
    { label_confidences: { cat: 0.5 } },
    (text, value) => setLabelConfidence(text, 'v', 'cat', value),
  ],
  [
    'all thresholds',
    { label_confidences: { cat: 0.5 } },
    (text, value) => setAllLabelConfidences(text, 'v', { cat: value }),
  ],
])('parses one text for a move of %s, once', (_, attributes, change) => {
  const state = opened(attributes);
  for (const value of [0.1, 0.2, 0.3]) {
    parsed.length = 0;
    move(state, (text) => change(text, value));
    expect(parsed).toEqual([state.text]);
  }
});

it('parses the text between two edits of one move once, too', () => {
  const state = opened({ default_minimum_confidence: 0.3 });
  move(state, (text) => setMeanStd(text, 'v', [0, 0, 0], [1, 1, 1]));
  expect(parsed).toHaveLength(2);
  expect(new Set(parsed).size).toBe(2);
});

it('parses nothing again when a drag ends', () => {
  const state = opened({});
  move(state, (text) => setDefaultConfidence(text, 'v', 0.1));
  parsed.length = 0;
  state.settle();
  void state.findings;
  expect(parsed).toEqual([]);
});
