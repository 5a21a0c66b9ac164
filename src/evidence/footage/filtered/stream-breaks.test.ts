import { expect, it } from 'vitest';
import { StreamBreaks, type StreamMoment } from './stream-breaks.ts';

const at = (timeMs: number, atMs = timeMs, also: Partial<StreamMoment> = {}): StreamMoment => ({
  timeMs,
  atMs,
  isStreaming: true,
  ranMs: 20,
  ...also,
});
const paused = { isStreaming: false };

it.each<[string, StreamMoment, StreamMoment, string | null]>([
  ['frames that follow each other', at(0), at(33), null],
  ['the same frame, which runs again', at(500), at(500, 9000), null],
  ['a loop', at(9900), at(0, 9950), 'back'],
  ['a seek ahead while it plays', at(1000), at(9000, 1400), 'jump'],
  ['a step that is a little early', at(1000), at(2400, 1400), null],
  ['a pause, and on from there', at(1000), at(1040, 60_000), null],
  ['a frame step in a pause', at(1000), at(1033, 60_000, paused), null],
  ['a seek in a long pause', at(1000), at(4000, 60_000, paused), 'jump'],
  ['on from a seek in a pause', at(1000, 1000, paused), at(4000, 60_000), 'jump'],
  ['a camera that is silent for long', at(1000), at(4001), 'silence'],
  ['a camera that is silent for a moment', at(1000), at(4000), null],
  ['a model that takes as long', at(1000), at(7000, 7000, { ranMs: 2000 }), null],
  ['a model that takes shorter', at(1000), at(7001, 7001, { ranMs: 2000 }), 'silence'],
])('%s', (_, before, now, kind) => {
  const breaks = new StreamBreaks();
  expect(breaks.next(before)).toBeNull();
  expect(breaks.next(now)?.kind ?? null).toBe(kind);
  expect(breaks.next({ ...now, timeMs: now.timeMs + 1 })).toBeNull();
});

it('says between which times', () => {
  const breaks = new StreamBreaks();
  breaks.next(at(9900));
  expect(breaks.next(at(0, 9950))).toEqual({ kind: 'back', fromMs: 9900, toMs: 0 });
});
