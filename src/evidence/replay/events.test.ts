import fc from 'fast-check';
import { expect, it } from 'vitest';
import { storedColumns, type StoredFrame } from '../../../tests/stored-columns.ts';
import { plainEventRule, type EventRule } from '../events/event-rule.ts';
import { eventSequences } from '../../../tests/event-sequences.ts';
import { EventFinder, type FoundEvent } from '../events/event-finder.ts';
import { eventAt, eventsOf, type EventColumns } from './events.ts';

/** One label in frames a second apart: a digit is its score in tenths, '.' a frame without it, ' ' a minute's pause. */
function framesOf(text: string, label = 0): readonly StoredFrame[] {
  let timeMs = -1000;
  return [...text].flatMap((sign): StoredFrame[] => {
    timeMs += sign === ' ' ? 60_000 : 1000;
    if (sign === ' ') return [];
    return [sign === '.' ? [timeMs] : [timeMs, [label, Number(sign) / 10]]];
  });
}

const rule: EventRule = { ...plainEventRule, gapMs: 10_000 };

const listed = (columns: EventColumns) => Array.from(columns.frame, (_, at) => eventAt(columns, at));

function eventsIn(frames: readonly StoredFrame[], changes: Partial<EventRule> = {}, most?: number) {
  const columns = storedColumns(frames, ['cat', 'dog']);
  const all = Uint32Array.from(columns.labels, (_, at) => at);
  const { atLeast = 1 } = changes;
  return listed(eventsOf(columns, all, { ...rule, endBelow: atLeast, ...changes }, most).columns);
}

const spans = (text: string, changes: Partial<EventRule> = {}) =>
  eventsIn(framesOf(text), changes).map(({ startMs, endMs, peakScore }) => [startMs / 1000, endMs / 1000, peakScore]);

it.each<[string, Partial<EventRule>, readonly (readonly number[])[]]>([
  [
    '..5.67..',
    {},
    [
      [2, 2, 0.5],
      [4, 5, 0.7],
    ],
  ],
  ['..5.6.7..', { atLeast: 1, ofFrames: 2 }, [[2, 7, 0.7]]],
  [
    '5.6.7',
    { atLeast: 2, ofFrames: 3 },
    [
      [2, 2, 0.6],
      [4, 4, 0.7],
    ],
  ],
  [
    '59.....6.7',
    { atLeast: 2, ofFrames: 3 },
    [
      [1, 2, 0.9],
      [9, 9, 0.7],
    ],
  ],
  // Met until the oldest that counts has left: frame 2 of the first pair is the last.
  ['55.9', { atLeast: 2, ofFrames: 3 }, [[1, 3, 0.9]]],
  ['55..9', { atLeast: 2, ofFrames: 3 }, [[1, 2, 0.5]]],
  ['55...5', { atLeast: 3, ofFrames: 5 }, []],
  ['555...', { atLeast: 3, ofFrames: 5 }, [[2, 4, 0.5]]],
  ['7.', { atLeast: 1, ofFrames: 9 }, [[0, 1, 0.7]]],
  // A pause ends an event, and frames before it count no longer.
  ['5 5', { atLeast: 2, ofFrames: 3 }, []],
  [
    '55 55',
    { atLeast: 2, ofFrames: 2 },
    [
      [1, 1, 0.5],
      [63, 63, 0.5],
    ],
  ],
  ['55 55', { atLeast: 2, ofFrames: 2, gapMs: 90_000 }, [[1, 63, 0.5]]],
])('in "%s" by %o finds %j', (text, changes, expected) => {
  expect(spans(text, changes)).toEqual(expected);
});

it('counts a frame once, however often the label is in it, and shows the best of them', () => {
  const twice: readonly StoredFrame[] = [[0, [0, 0.5], [0, 0.8]], [1000], [2000, [0, 0.6], [0, 0.9], [0, 0.7]]];
  expect(eventsIn(twice, { atLeast: 2, ofFrames: 2 })).toEqual([]);
  expect(eventsIn(twice, { atLeast: 2, ofFrames: 3 })).toEqual([
    { label: 0, frame: 2, startMs: 2000, endMs: 2000, peakScore: 0.9, isTold: true },
  ]);
});

it('keeps labels apart and lists their events by time', () => {
  const frames: readonly StoredFrame[] = [[0, [1, 0.5]], [1000, [0, 0.4], [1, 0.6]], [2000], [3000, [1, 0.3]]];
  expect(eventsIn(frames).map(({ label, frame, peakScore }) => [label, frame, peakScore])).toEqual([
    [1, 0, 0.6],
    [0, 1, 0.4],
    [1, 3, 0.3],
  ]);
});

it('tells an event only so long after the one told before, by label', () => {
  const frames: readonly StoredFrame[] = [[0, [0, 0.5]], [500], [1000, [0, 0.5], [1, 0.5]], [2000], [3000, [0, 0.5]]];
  const told = eventsIn(frames, { quietMs: 3000 }).map(({ label, startMs, isTold }) => [label, startMs, isTold]);
  expect(told).toEqual([
    [0, 0, true],
    [0, 1000, false],
    [1, 1000, true],
    [0, 3000, true],
  ]);
});

it('uses kept results alone', () => {
  const columns = storedColumns(
    [
      [0, [0, 0.5]],
      [1000, [0, 0.6]],
    ],
    ['cat'],
  );
  expect([...eventsOf(columns, Uint32Array.of(1), rule).columns.startMs]).toEqual([1000]);
});

it('lists the first events alone where that is asked for, those of the last frame by label, grown to their end, and counts all', () => {
  const frames: readonly StoredFrame[] = [[0, [1, 0.5]], [1000, [1, 0.7], [0, 0.4]], [2000, [1, 0.6]], [3000], [4000, [0, 0.9]]]; // prettier-ignore
  const changes = { ofFrames: 2 };
  expect(eventsIn(frames, changes, 1)).toEqual([
    { label: 1, frame: 0, startMs: 0, endMs: 3000, peakScore: 0.7, isTold: true },
  ]);
  const both: readonly StoredFrame[] = [
    [0, [1, 0.5], [0, 0.6]],
    [1000, [0, 0.9], [1, 0.8]],
  ];
  expect(eventsIn(both, changes, 1)).toEqual([
    { label: 0, frame: 0, startMs: 0, endMs: 1000, peakScore: 0.9, isTold: true },
  ]);
  const columns = storedColumns(frames, ['cat', 'dog']);
  const all = Uint32Array.from(columns.labels, (_, at) => at);
  const { eventCounts, toldCounts } = eventsOf(columns, all, { ...rule, ...changes, quietMs: 5000 }, 0);
  expect([[...eventCounts], [...toldCounts]]).toEqual([
    [2, 1],
    [1, 1],
  ]);
});

it('finds in columns, more than they have room for at first, what is found with an object an event', () => {
  for (const { rule, seen } of eventSequences(3, 40)) {
    const labels = [...new Set(seen.flatMap(({ found }) => found.map(([label]) => label)))];
    const again = Array.from({ length: 60 }, (_, time) => time * 1e7).flatMap((fromMs) =>
      seen.map(({ ms, found }) => ({ ms: fromMs + ms, found })),
    );
    const frames = again.map(({ ms, found }): StoredFrame => [
      ms,
      ...found.map(([label, score]) => [labels.indexOf(label), score] as const),
    ]);
    const columns = storedColumns(frames, labels);
    const all = Uint32Array.from(columns.labels, (_, at) => at);
    const found: (readonly [frame: number, FoundEvent<string>])[] = [];
    let frame = 0;
    const finder = new EventFinder<string>(rule, (event) => found.push([frame, event]));
    for (; frame < again.length; frame++) finder.see(again[frame]!.ms, again[frame]!.found);
    const expected = found
      .map(([begun, { firstMs: _, label, ...event }]) => ({ ...event, frame: begun, label: labels.indexOf(label) }))
      .sort((one, other) => one.frame - other.frame || one.label - other.label);
    const events = eventsOf(columns, all, rule);
    expect(listed(events.columns)).toEqual(expected);
    const most = expected.length >> 1;
    expect(listed(eventsOf(columns, all, rule, most).columns)).toEqual(expected.slice(0, most));
    labels.forEach((_, label) => {
      const own = expected.filter((event) => event.label === label);
      expect([events.eventCounts[label], events.toldCounts[label]]).toEqual([
        own.length,
        own.filter(({ isTold }) => isTold).length,
      ]);
    });
  }
});

it('finds what a look at every window of every frame finds', () => {
  const anyFrames = fc.array(fc.constantFrom('.', '.', '5', '9', ' '), { maxLength: 40 });
  const anyRule = fc
    .integer({ min: 1, max: 6 })
    .chain((ofFrames) =>
      fc.record({ atLeast: fc.integer({ min: 1, max: ofFrames }), ofFrames: fc.constant(ofFrames) }),
    );
  fc.assert(
    fc.property(anyFrames, anyRule, (signs, { atLeast, ofFrames }) => {
      const text = signs.join('');
      const found = spans(text, { atLeast, ofFrames }).map(([startS, endS]) => [startS, endS]);
      expect(found).toEqual(eventsByWindows(text, atLeast, ofFrames));
    }),
    { seed: 1, numRuns: 300 },
  );
});

function eventsByWindows(text: string, atLeast: number, ofFrames: number): number[][] {
  const events: number[][] = [];
  let atS = -1;
  for (const run of text.split(/( )/)) {
    let isMet = false;
    if (run === ' ') atS += 60;
    else
      for (let at = 0; at < run.length; at++) {
        atS++;
        const window = run.slice(Math.max(0, at - ofFrames + 1), at + 1).replaceAll('.', '');
        if (window.length < atLeast) isMet = false;
        else if (isMet) events.at(-1)![1] = atS;
        else {
          events.push([atS, atS]);
          isMet = true;
        }
      }
  }
  return events;
}
