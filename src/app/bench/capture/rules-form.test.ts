import { expect, it } from 'vitest';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import { policyOf, RulesForm } from './rules-form.svelte.ts';

it('says what it cannot start, and remembers what was typed', () => {
  const memory = memoryStorage();
  const form = new RulesForm(memory);
  form.change({ interval: { on: false, everySeconds: 5 } });
  expect(form.trouble).toBe('Switch a rule on.');
  form.change({ appears: { on: true, label: ' ', absentSeconds: 2 } });
  expect(form.trouble).toBe('Choose the label that should appear.');
  form.change({ appears: { on: true, label: 'cat', absentSeconds: 1.5 }, maxFrames: null });
  expect(form.trouble).toBe('');
  expect(new RulesForm(memory).draft).toEqual(form.draft);
});

it('makes rules of what is switched on, in units of the recorder', () => {
  const { draft } = new RulesForm(memoryStorage());
  const on = { ...draft, interval: { on: true, everySeconds: 0.5 } };
  const policy = policyOf({
    ...on,
    score: { on: true, label: '', low: 0.7, high: 0.2 },
    differs: { on: true, percent: 5 },
    maxFrames: 10,
    maxMegabytes: 2.5,
    maxPerMinute: null,
  });
  expect(policy).toEqual({
    rules: [
      { kind: 'interval', everyMs: 500 },
      { kind: 'score-between', label: null, low: 0.2, high: 0.7 },
      { kind: 'differs', atLeast: 0.05 },
    ],
    budget: { maxFrames: 10, maxBytes: 2_500_000, maxPerMinute: null },
  });
});

it.each<[string, string]>([
  ['of another kind', '"x"'],
  ['with fields of other kinds', '{"interval":{"on":"yes","everySeconds":null},"maxFrames":-3,"differs":7}'],
])('takes nothing from a memory %s', (_, stored) => {
  const memory = memoryStorage();
  memory.setItem('sightglass:capture-rules', stored);
  expect(new RulesForm(memory).draft).toEqual(new RulesForm(memoryStorage()).draft);
});
