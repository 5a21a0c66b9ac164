import { expect, it } from 'vitest';
import type { FilterRule } from './filter-rule.ts';
import { playableRule } from './playable-rule.ts';

const cat = { vision: 'pets', inhibit: false, classifications: {}, objects: { cat: 0.5 } };
const rule: FilterRule = {
  camera: 'cam',
  inhibitors: [],
  acceptors: [cat],
  beforeMs: 1000,
  afterMs: 1000,
  cooldownMs: 0,
  imageFrequencyHz: 2,
  ringSize: 12,
};
const other = { ...cat, vision: 'people' };
it.each([
  ['all of it', { ...rule }, { acceptors: [cat], inhibitors: [], absent: [] }],
  [
    'without a service that did not run',
    { ...rule, acceptors: [other, cat] },
    { acceptors: [cat], absent: ['people'] },
  ],
  [
    'without an inhibiting one that did not run',
    { ...rule, inhibitors: [{ ...other, inhibit: true }] },
    { inhibitors: [], absent: ['people'] },
  ],
  ['nothing, where no accepting service ran', { ...rule, acceptors: [other], inhibitors: [cat] }, null],
  ['everything, where the rule has no accepting service', { ...rule, acceptors: [] }, { acceptors: [], absent: [] }],
])('plays %s', (_, whole, expected) => {
  const found = playableRule(whole, ['pets']);
  expect(found && { ...found.rule, absent: found.absent }).toEqual(expected && expect.objectContaining(expected));
});

it('plays the lines of several services in their order', () => {
  const whole = { ...rule, acceptors: [other, cat, { ...cat, vision: 'cars' }] };
  expect(playableRule(whole, ['pets', 'people'])).toMatchObject({
    rule: { acceptors: [other, cat] },
    absent: ['cars'],
  });
});
