import { expect, it } from 'vitest';
import { storedColumns } from '../../../tests/stored-columns.ts';
import type { FilterRule } from '../../machine/vision/filtered-camera/filter-rule.ts';
import { filteredReplay, type FilteredAsk } from './filtered.ts';

const rule: FilterRule = {
  camera: 'cam',
  inhibitors: [],
  acceptors: [{ vision: 'pets', inhibit: false, classifications: {}, objects: { cat: 0.5 } }],
  beforeMs: 2000,
  afterMs: 1000,
  cooldownMs: 0,
  imageFrequencyHz: 1,
  ringSize: 9,
};
/** Two captures a second, of which some have a cat, and one has only a dog. */
const columns = storedColumns(
  Array.from({ length: 21 }, (_, at) => (at === 6 || at === 16 ? [500 * at, [0, 0.9]] : [500 * at, [1, 0.9]])),
  ['cat', 'dog'],
);
const all = Uint32Array.from({ length: 21 }, (_, at) => at);
const ask = (also: Partial<FilteredAsk> = {}): FilteredAsk => ({
  rule,
  captureHz: 2,
  service: 'pets',
  kind: 'objects',
  ...also,
});

it('keeps images around what the filter lets through', () => {
  // The worker takes an image at 1, 2, 3 … s, the data manager asks at 0.25, 0.75 … s.
  const { asked, keptMs, counts, waiting, durationMs } = filteredReplay(columns, all, ask(), 10_000);
  expect([asked, counts.captures.triggered, waiting, durationMs]).toEqual([20, 2, 0, 10_000]);
  // The cats are on show from 3 to 3.5 s and from 8 to 8.5 s. In a window without a buffered image the data manager gets its own.
  expect([...keptMs]).toEqual([2000, 3000, 3250, 3750, 4000, 7000, 8000, 8250, 8750, 9000]);
});

it('sees only what the thresholds of the service keep', () => {
  const { keptMs } = filteredReplay(columns, all.filter((row) => row !== 6), ask(), 10_000); // prettier-ignore
  expect([...keptMs]).toEqual([7000, 8000, 8250, 8750, 9000]);
});

it('answers with the kind of results that was stored', () => {
  expect(filteredReplay(columns, all, ask({ kind: 'classifications' }), 10_000).counts.captures.failed).toBe(20);
  const classes: FilterRule = {
    ...rule,
    acceptors: [{ ...rule.acceptors[0]!, objects: {}, classifications: { cat: 0.5 } }],
  };
  const asClasses = filteredReplay(columns, all, ask({ rule: classes, kind: 'classifications' }), 10_000);
  expect(asClasses.counts.captures).toMatchObject({ triggered: 2, failed: 0 });
});

it('starts anew behind a gap, and counts no time of it', () => {
  const torn = storedColumns([[0], [500, [0, 0.9]], [1000], [60_000], [60_500], [61_000], [61_500]], ['cat']);
  const setting = ask({ captureHz: 1, rule: { ...rule, afterMs: 600_000 } });
  const { asked, keptMs, waiting, durationMs } = filteredReplay(torn, Uint32Array.of(0), setting, 10_000);
  expect([asked, [...keptMs], waiting, durationMs]).toEqual([3, [500], 1, 2500]);
});

it('has nothing to keep where nothing is stored', () => {
  const nothing = filteredReplay(storedColumns([], []), new Uint32Array(0), ask(), 10_000);
  expect(nothing).toMatchObject({ asked: 0, keptMs: new Float64Array(0), durationMs: 0 });
});
