import { expect, it } from 'vitest';
import { classifiedFrame, failedFrame, footageFrame } from '../../../../tests/footage-frames.ts';
import { noTimings } from '../../../../tests/no-timings.ts';
import { Throttle } from '../../../base/schedule/throttle.ts';
import type { LiveFrame } from '../filtered/live-stream.svelte.ts';
import { LiveEvents, type LiveEventsOrder } from './live-events.svelte.ts';

const rule = { atLeast: 2, ofFrames: 3, beginScore: 0, endBelow: 1, quietMs: 0, gapMs: 5000 };
const order = (also: Partial<LiveEventsOrder> = {}): LiveEventsOrder => ({
  source: 'clip.mp4',
  service: 'pets',
  thresholds: { defaultMinimumConfidence: 0.5, labelConfidences: {} },
  rule,
  ...also,
});

type Labels = Parameters<typeof footageFrame>[1];

/** A frame at a time, with labels and scores. */
function frameAt(timeMs: number, rows: Labels, also: Partial<LiveFrame> & { takenAtMs?: number } = {}): LiveFrame {
  const { takenAtMs = 1_000_000 + timeMs, ...rest } = also;
  const { detections } = footageFrame(0, rows);
  const frame = { name: 'clip.mp4', index: timeMs, timestampMs: timeMs, takenAtMs };
  const result = { frame, stages: [], detections, classifications: null, problems: [], timings: noTimings };
  return { result, isStreaming: true, isTimedByPage: false, madeBy: 'plan', ...rest };
}

function opened(first = order()) {
  const live = new LiveEvents(new Throttle(0, { nowMs: () => 0, after: (_, task) => task() }));
  live.follow(first);
  return live;
}

const cat: Labels = [['cat', 0.9]];
const both: Labels = [
  ['cat', 0.7],
  ['dog', 0.6],
];

/** Ten frames a second, the first at a time. */
function play(live: LiveEvents, fromMs: number, frames: readonly Labels[], also: Partial<LiveFrame> = {}): void {
  for (const [at, rows] of frames.entries()) live.take(frameAt(fromMs + 100 * at, rows, also));
}

const states = (live: LiveEvents) =>
  live.now?.labels.map(
    ({ event, isOn }) => `${event.label} ${isOn ? `on for ${live.now!.nowMs - event.startMs}` : 'off'}`,
  );
const times = (live: LiveEvents) => live.now?.last.map(({ event, atMs }) => [event.label, event.startMs, atMs]);

it('says of each label whether its event is on and since when, and lists the last events', () => {
  const live = opened();
  expect([live.now, live.since]).toEqual([null, 'opened']);
  play(live, 0, [cat]);
  expect(states(live)).toEqual([]);
  play(live, 100, [cat, both, both]);
  expect(states(live)).toEqual(['dog on for 0', 'cat on for 200']);
  play(live, 400, [[['dog', 0.6]], [['dog', 0.6]], [['dog', 0.6]], [['dog', 0.6]]]);
  expect(states(live)).toEqual(['dog on for 400', 'cat off']);
  play(live, 800, [both, both]);
  expect(states(live)).toEqual(['cat on for 0', 'dog on for 600']);
  expect(times(live)).toEqual([
    ['cat', 900, 1_000_900],
    ['dog', 300, 1_000_300],
    ['cat', 100, 1_000_100],
  ]);
  expect(live.now).toMatchObject({ count: 3, durationMs: 900 });
});

it('hears what the thresholds keep, and starts again under other ones', () => {
  const live = opened();
  play(live, 0, [both, both]);
  expect(states(live)).toEqual(['dog on for 0', 'cat on for 0']); // the newest first
  live.follow(order({ thresholds: { defaultMinimumConfidence: 0.65, labelConfidences: {} } }));
  expect([live.now, live.since]).toEqual([null, 'setting']);
  play(live, 200, [both, both]);
  expect(states(live)).toEqual(['cat on for 0']);
  live.follow(order({ thresholds: { defaultMinimumConfidence: 0.65, labelConfidences: {} } }));
  expect(live.now!.count).toBe(1);
});

it.each<[string, (live: LiveEvents) => void, string]>([
  ['another source', (live) => live.follow(order({ source: 'other.mp4' })), 'source'],
  ['another rule', (live) => live.follow(order({ rule: { ...rule, atLeast: 1 } })), 'setting'],
  ['another model', (live) => live.take(frameAt(200, [], { madeBy: 'another plan' })), 'results'],
])('starts again under %s', (_, change, since) => {
  const live = opened();
  play(live, 0, [cat, cat]);
  expect(live.now!.count).toBe(1);
  change(live);
  expect([live.now?.count ?? 0, live.since]).toEqual([0, since]);
});

it('counts no frame that is older than the last: it is run again, and the source did not go back', () => {
  const live = opened();
  play(live, 0, [cat, cat]);
  const before = live.now;
  live.take(frameAt(50, both));
  expect([live.break, live.now]).toEqual([null, before]);
  play(live, 200, [cat]);
  expect(states(live)).toEqual(['cat on for 100']);
});

it.each([
  ['back', 500, 100],
  ['jump', 0, 20_000],
] as const)('starts an event again where the source goes %s, and tells it', (kind, fromMs, toMs) => {
  const live = opened();
  play(live, fromMs, [cat, cat]);
  // The clock of the page goes on as ever.
  live.take(frameAt(toMs, cat, { takenAtMs: 1_000_000 + fromMs + 200 }));
  expect(live.break).toEqual({ kind, fromMs: fromMs + 100, toMs });
  expect(states(live)).toEqual(['cat off']);
  live.take(frameAt(toMs + 100, cat, { takenAtMs: 1_000_000 + fromMs + 300 }));
  expect(states(live)).toEqual(['cat on for 0']);
  expect(live.now).toMatchObject({ count: 2, durationMs: 200 });
  live.follow(order({ source: 'other.mp4' }));
  expect(live.break).toBeNull();
});

it('leaves a silence to the rule: a longer one than its gap ends an event', () => {
  const live = opened();
  play(live, 0, [cat, cat]);
  live.take(frameAt(5000, cat));
  expect([states(live), live.break]).toEqual([['cat on for 4900'], null]);
  live.take(frameAt(10_001, cat));
  expect([states(live), live.break]).toEqual([['cat off'], null]);
});

it('counts a frame once, however often it is run', () => {
  const live = opened();
  for (let run = 0; run < 5; run++) live.take(frameAt(0, cat, { isStreaming: false, takenAtMs: 1_000_000 + run }));
  expect(states(live)).toEqual([]);
  live.take(frameAt(100, cat, { isStreaming: false }));
  expect(states(live)).toEqual(['cat on for 0']);
});

it('hears nothing of a frame that failed, or whose plan is not known', () => {
  const live = opened(order({ rule: { ...rule, ofFrames: 2 } }));
  play(live, 0, [cat]);
  const failed = frameAt(100, []);
  live.take({ ...failed, result: { ...failed.result, detections: failedFrame(1).detections } });
  live.take(frameAt(150, [], { madeBy: undefined }));
  live.take(frameAt(200, cat));
  expect(times(live)).toEqual([['cat', 200, 1_000_200]]);
  const none = new LiveEvents();
  none.take(frameAt(0, cat));
  expect(none.now).toBeNull();
});

it('hears classes', () => {
  const live = opened();
  for (const timeMs of [0, 100]) {
    const { result, ...rest } = frameAt(timeMs, []);
    const { detections, classifications } = classifiedFrame(0, { cat: 0.9, dog: 0.1 });
    live.take({ ...rest, result: { ...result, detections, classifications } });
  }
  expect(states(live)).toEqual(['cat on for 0']);
});

it('takes the first frame of another source as it comes: its clock is another one', () => {
  const live = opened();
  play(live, 5000, [cat, cat]);
  live.follow(order({ source: 'other.mp4' }));
  play(live, 0, [cat, cat, []]);
  expect([live.break, states(live)]).toEqual([null, ['cat on for 100']]);
  expect(live.now!.durationMs).toBe(200);
  live.follow(order({ source: 'third.mp4' }));
  play(live, 200, [cat, cat]);
  expect([live.break, states(live)]).toEqual([null, ['cat on for 0']]);
});

it('takes the page’s clock where the frames have none', () => {
  const live = opened();
  const at = (takenAtMs: number, index: number): LiveFrame => {
    const frame = frameAt(0, cat, { isTimedByPage: true, takenAtMs });
    return { ...frame, result: { ...frame.result, frame: { ...frame.result.frame, index } } };
  };
  live.take(at(1000, 0));
  live.take(at(1100, 1));
  live.take(at(1400, 2));
  expect(states(live)).toEqual(['cat on for 300']);
});

it('shows twelve events at most', () => {
  const live = opened(order({ rule: { ...rule, atLeast: 1, ofFrames: 1 } }));
  play(
    live,
    0,
    Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? cat : [])),
  );
  expect([live.now!.last.length, live.now!.count, live.now!.last[0]!.event.startMs]).toEqual([12, 15, 2800]);
});
