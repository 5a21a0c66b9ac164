import { expect, it } from 'vitest';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import { LabelColours } from './label-colours.svelte.ts';
import { PALETTE } from './colour-palette.ts';

const labels = Array.from({ length: 80 }, (_, index) => `label ${index}`);

/** Once what was given meanwhile is written. */
const written = (): Promise<void> => Promise.resolve();

it('gives a label one colour, in any case, on every visit', () => {
  const colours = new LabelColours(memoryStorage());
  expect(colours.of('Person')).toBe(colours.of('person'));
  expect(colours.of('person')).toBe(new LabelColours(memoryStorage()).of('person'));
});

it('gives labels that are drawn together colours that are told apart', () => {
  const colours = new LabelColours(memoryStorage());
  const together = labels.slice(0, PALETTE.length);
  expect(new Set(together.map((label) => colours.of(label))).size).toBe(together.length);
  for (let at = 0; at < 100; at++) for (const label of together.slice(0, 8)) colours.of(label);
  const others = labels.slice(20, 32).map((label) => colours.of(label));
  for (const label of together.slice(0, 8)) expect(others).not.toContain(colours.of(label));
});

it('never moves a label, whatever it is drawn with and in what order, here, in another tab and on later visits', async () => {
  const memory = memoryStorage();
  const colours = new LabelColours(memory);
  const person = colours.of('person');
  const before = labels.slice(0, 8).map((label) => colours.of(label));
  for (const label of labels.toReversed()) colours.of(label);
  expect(labels.slice(0, 8).map((label) => colours.of(label))).toEqual(before);
  await written();
  const later = new LabelColours(memory);
  for (const label of ['car', ...labels.slice(40)]) later.of(label);
  expect([later.of('person'), ...labels.slice(0, 8).map((label) => later.of(label))]).toEqual([person, ...before]);
});

it('takes the colour that another tab has given a label since', async () => {
  const memory = memoryStorage();
  const [here, there] = [new LabelColours(memory), new LabelColours(memory)];
  for (const label of labels) there.of(label);
  await written();
  expect(labels.toReversed().map((label) => here.of(label))).toEqual(
    labels.toReversed().map((label) => there.of(label)),
  );
  await written();
  expect(new LabelColours(memory).of('label 7')).toBe(there.of('label 7'));
});

it('keeps a chosen colour, tells labels that come apart from it, and goes back to the former one', async () => {
  const memory = memoryStorage();
  const colours = new LabelColours(memory);
  expect(colours.hasChosen).toBe(false);
  const former = colours.of('cat');
  const ofDog = new LabelColours(memoryStorage()).of('dog');
  colours.choose('Cat', ofDog.toUpperCase());
  expect([colours.of('cat'), colours.of('dog') === ofDog]).toEqual([ofDog, false]);
  await written();
  const later = new LabelColours(memory);
  expect([later.of('CAT'), later.hasChosen]).toEqual([ofDog, true]);
  later.forgetChoices();
  expect([later.hasChosen, later.of('cat'), new LabelColours(memory).hasChosen]).toEqual([false, former, false]);
});

it('forgets the colours of labels that were drawn longest ago, where there are thousands', async () => {
  const memory = memoryStorage();
  const colours = new LabelColours(memory);
  colours.of('old');
  colours.of('used');
  for (let at = 0; at < 1999; at++) colours.of(`label ${at}`);
  colours.of('used');
  await written();
  const { given } = JSON.parse(memory.getItem('sightglass:label-colours')!) as { given: object };
  expect([Object.keys(given).length, 'old' in given, 'used' in given]).toEqual([2000, false, true]);
});

it('begins anew where what was remembered is damaged', () => {
  const memory = memoryStorage();
  memory.setItem('sightglass:label-colours', '{"chosen":{"cat":"red","dog":"#123456"},"given":7}');
  const colours = new LabelColours(memory);
  expect([colours.of('cat') === 'red', colours.of('dog')]).toEqual([false, '#123456']);
  expect(colours.of('constructor')).toMatch(/^#/);
});
