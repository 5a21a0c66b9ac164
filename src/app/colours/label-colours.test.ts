import { expect, it } from 'vitest';
import { memoryStorage } from '../../../tests/memory-storage.ts';
import { LabelColours } from './label-colours.svelte.ts';
import { PALETTE } from './spread-colours.ts';

const labels = Array.from({ length: 80 }, (_, index) => `label ${index}`);

it('gives a label one colour, in any case, on every visit', () => {
  const colours = new LabelColours(memoryStorage());
  expect(colours.of('Person')).toBe(colours.of('person'));
  expect(colours.of('person')).toBe(new LabelColours(memoryStorage()).of('person'));
  expect(new Set(labels.map((label) => colours.of(label))).size).toBeGreaterThan(0.8 * PALETTE.length);
});

it('tells all labels on screen apart, and remembers how', () => {
  const memory = memoryStorage();
  const colours = new LabelColours(memory);
  const onScreen = labels.slice(0, PALETTE.length);
  expect(new Set(onScreen.map((label) => colours.of(label))).size).toBeLessThan(onScreen.length);
  colours.tellApart(onScreen);
  const apart = onScreen.map((label) => colours.of(label));
  expect(new Set(apart).size).toBe(onScreen.length);
  const later = new LabelColours(memory);
  expect(onScreen.map((label) => later.of(label))).toEqual(apart);
  later.tellApart(onScreen.toReversed());
  expect(onScreen.map((label) => later.of(label))).toEqual(apart);
});

it('leaves labels where they were beside others that come', () => {
  const colours = new LabelColours(memoryStorage());
  colours.tellApart(labels.slice(0, 8));
  const before = labels.slice(0, 8).map((label) => colours.of(label));
  colours.tellApart(labels.slice(0, 16).toReversed());
  colours.tellApart(labels.slice(0, 8));
  expect(labels.slice(0, 8).map((label) => colours.of(label))).toEqual(before);
});

it('keeps a chosen colour and moves the others out of its way', () => {
  const memory = memoryStorage();
  const colours = new LabelColours(memory);
  expect(colours.hasChosen).toBe(false);
  colours.choose('Cat', colours.of('dog').toUpperCase());
  colours.tellApart(['dog', 'cat']);
  expect(colours.of('dog')).not.toBe(colours.of('cat'));
  const later = new LabelColours(memory);
  expect([later.of('CAT'), later.isChosen('cat'), later.isChosen('dog')]).toEqual([colours.of('cat'), true, false]);
  later.forgetChoices();
  expect([later.hasChosen, new LabelColours(memory).isChosen('cat')]).toEqual([false, false]);
});

it('begins anew where what was remembered is damaged', () => {
  const memory = memoryStorage();
  memory.setItem('sightglass:label-colours', '{"chosen":{"cat":"red","dog":"#123456"},"moved":7}');
  const colours = new LabelColours(memory);
  expect([colours.isChosen('cat'), colours.of('dog')]).toEqual([false, '#123456']);
  expect(colours.of('constructor')).toMatch(/^#/);
});
