import { expect, it } from 'vitest';
import type { LabelTimeline } from '../../../evidence/footage/timeline.ts';
import { TimelineRows } from './timeline-rows.ts';

const timeline = (label: string, kept: number, ...best: number[]): LabelTimeline => ({
  label,
  threshold: 0.5,
  frames: new Uint32Array(1),
  most: new Uint32Array(1),
  best: Float32Array.from(best),
  scores: new Uint32Array(50),
  kept,
});
const named = (rows: TimelineRows, ...timelines: LabelTimeline[]) => {
  const { shown, others } = rows.part(timelines);
  return [shown.map(({ label }) => label), others.map(({ label }) => label)];
};

it('gives no row to labels of which nothing is kept, and lists the surest of them first', () => {
  const all = [timeline('cat', 2, 0.9), timeline('cow', 0, 0.1), timeline('dog', 1, 0.6), timeline('emu', 0, NaN, 0.4)];
  expect(named(new TimelineRows(), ...all)).toEqual([
    ['cat', 'dog'],
    ['emu', 'cow'],
  ]);
});

it('keeps the row of a label whose threshold was raised above all of its scores', () => {
  const rows = new TimelineRows();
  named(rows, timeline('cat', 2, 0.9), timeline('cow', 0, 0.1));
  expect(named(rows, timeline('cat', 0, 0.9), timeline('cow', 0, 0.1))).toEqual([['cat'], ['cow']]);
  expect(named(rows, timeline('cow', 1, 0.6), timeline('cat', 0, 0.9))).toEqual([['cow', 'cat'], []]);
});

it('shows the three surest where nothing is kept at all', () => {
  const all = ['a', 'b', 'c', 'd'].map((label, at) => timeline(label, 0, at / 10));
  expect(named(new TimelineRows(), ...all)).toEqual([['d', 'c', 'b'], ['a']]);
});

it('has nothing to show before a frame', () => {
  expect(named(new TimelineRows())).toEqual([[], []]);
});
