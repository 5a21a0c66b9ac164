import { expect, it } from 'vitest';
import { eventLabels, eventSequences, type SeenFrame } from '../../../tests/event-sequences.ts';
import { EventFinder, type FoundEvent } from './event-finder.ts';
import { changeRule, eventRuleText, plainEventRule, refuseUnfitRule, type EventRule } from './event-rule.ts';

const rule: EventRule = { ...plainEventRule, gapMs: 10_000 };

function eventsIn(rule: EventRule, seen: readonly SeenFrame[]): readonly FoundEvent<string>[] {
  const events: FoundEvent<string>[] = [];
  const finder = new EventFinder<string>(rule, (event) => events.push(event));
  for (const { ms, found } of seen) finder.see(ms, found);
  return events;
}

/** One label in frames a second apart: a digit is its score in tenths, '.' a frame without it. */
const spans = (text: string, changes: Partial<EventRule>) => {
  const seen = [...text].map((sign, at): SeenFrame => ({ ms: 1000 * at, found: sign === '.' ? [] : [['cat', Number(sign) / 10]] })); // prettier-ignore
  return eventsIn({ ...rule, ...changes }, seen).map((event) =>
    [event.firstMs, event.startMs, event.endMs].map((ms) => ms / 1000),
  );
};

it.each<[string, Partial<EventRule>, readonly (readonly number[])[]]>([
  // Two scores: 0.7 begins an event, whatever is kept holds it.
  ['..33733.3.', { beginScore: 0.7 }, [[4, 4, 6]]],
  ['3373.73', { beginScore: 0.7, atLeast: 2, ofFrames: 4, endBelow: 1 }, [[2, 5, 6]]],
  // Two numbers of frames: three of four begin one, a single one holds it.
  ['55.5...5', { atLeast: 3, ofFrames: 4, endBelow: 3 }, [[0, 3, 3]]],
  ['55.5...5', { atLeast: 3, ofFrames: 4, endBelow: 2 }, [[0, 3, 4]]],
  ['55.5....5', { atLeast: 3, ofFrames: 4, endBelow: 1 }, [[0, 3, 6]]],
  ['55.5...5', { atLeast: 3, ofFrames: 4, endBelow: 1 }, [[0, 3, 7]]],
])('in "%s" by %o finds %j: first that counts, beginning, end', (text, changes, expected) => {
  expect(spans(text, changes)).toEqual(expected);
});

it('finds what a look at every window of every frame finds', () => {
  const sequences = eventSequences(9, 400);
  let count = 0;
  for (const { rule, seen } of sequences) {
    const found = eventsIn(rule, seen);
    for (const label of eventLabels)
      expect(found.filter((event) => event.label === label)).toEqual(eventsByWindows(rule, seen, label));
    count += found.length;
  }
  expect(count).toBeGreaterThan(1000);
});

function eventsByWindows(rule: EventRule, seen: readonly SeenFrame[], label: string): readonly FoundEvent<string>[] {
  const { atLeast, ofFrames, beginScore, endBelow, quietMs, gapMs } = rule;
  const events: { -readonly [Key in keyof FoundEvent<string>]: FoundEvent<string>[Key] }[] = [];
  let [isOn, run] = [false, [] as { readonly ms: number; readonly score: number | undefined }[]];
  for (const { ms, found } of seen) {
    if (run.length > 0 && ms - run.at(-1)!.ms > gapMs) [isOn, run] = [false, []];
    const scores = found.flatMap(([name, one]) => (name === label ? [one] : []));
    const score = scores.length > 0 ? Math.max(...scores) : undefined;
    run.push({ ms, score });
    const kept = run.slice(-ofFrames).filter((frame) => frame.score !== undefined);
    const begins = kept.filter((frame) => frame.score! >= beginScore);
    if (!isOn && begins.length >= atLeast) {
      const toldMs = events.findLast((event) => event.isTold)?.startMs ?? -Infinity;
      const counted = begins.slice(-atLeast);
      const peakScore = Math.max(...counted.map((frame) => frame.score!));
      events.push({
        label,
        firstMs: counted[0]!.ms,
        startMs: ms,
        endMs: ms,
        peakScore,
        isTold: ms - toldMs >= quietMs,
      });
      isOn = true;
    } else if (isOn && kept.length >= endBelow) {
      const event = events.at(-1)!;
      event.endMs = ms;
      event.peakScore = Math.max(event.peakScore, score ?? 0);
    } else isOn = false;
  }
  return events;
}

it('says which events are under way', () => {
  const finder = new EventFinder<string>({ ...rule, atLeast: 2, ofFrames: 3, endBelow: 1 }, () => undefined);
  const present = [
    [0, ['cat']],
    [1000, ['cat', 'dog']],
    [2000, ['dog']],
    [3000, []],
    [4000, []],
    [30_000, ['dog']],
  ] as const;
  const labels = present.map(([ms, kept]) => {
    finder.see(
      ms,
      kept.map((label) => [label, 0.5] as const),
    );
    return finder.present.map(({ label, startMs }) => `${label} since ${startMs}`);
  });
  expect(labels).toEqual([
    [],
    ['cat since 1000'],
    ['cat since 1000', 'dog since 2000'],
    ['cat since 1000', 'dog since 2000'],
    ['dog since 2000'],
    [],
  ]);
});

it('breaks off at a gap that is longer than the rule says, not at one that is as long', () => {
  const at = (ms: number): SeenFrame => ({ ms, found: [['cat', 0.5]] });
  const startsOf = (...times: number[]) => eventsIn(rule, times.map(at)).map(({ startMs }) => startMs);
  expect(startsOf(0, 10_000)).toEqual([0]);
  expect(startsOf(0, 10_001)).toEqual([0, 10_001]);
  expect(startsOf(0, 0)).toEqual([0]);
});

it('refuses a time that falls', () => {
  const finder = new EventFinder<string>(rule, () => undefined);
  finder.see(10, []);
  expect(() => finder.see(9, [])).toThrow(/Times must not fall, got 9 after 10/);
});

it.each<[Partial<EventRule>, RegExp]>([
  [{ atLeast: 0 }, /1 ≤ n ≤ m ≤ 9000, got 0 of 1/],
  [{ atLeast: 3, ofFrames: 2 }, /got 3 of 2/],
  [{ atLeast: 1.5, ofFrames: 2 }, /got 1.5 of 2/],
  [{ atLeast: NaN }, /got NaN of 1/],
  [{ ofFrames: 9001 }, /got 1 of 9001/],
  [{ endBelow: 0 }, /ends below 1 to 1 frames, as many as begin it at most, got 0/],
  [{ atLeast: 2, ofFrames: 4, endBelow: 3 }, /1 to 2 frames/],
  [{ beginScore: 1.1 }, /score from 0 to 1, got 1.1/],
  [{ beginScore: -0.1 }, /got -0.1/],
  [{ quietMs: -1 }, /got -1 ms quiet/],
  [{ gapMs: 0 }, /gaps of 0 ms/],
])('refuses %o', (changes, why) => {
  expect(() => refuseUnfitRule({ ...rule, ...changes })).toThrow(why);
});

it('says a rule in words', () => {
  expect(eventRuleText({ atLeast: 3, ofFrames: 5, beginScore: 0.6, endBelow: 2, quietMs: 120_000 })).toBe(
    'present in 3 of 5 frames with a score of at least 0.6, until it is in fewer than 2 of 5, reported at most once in 2 minutes',
  );
});

const typedRule: EventRule = { atLeast: 3, ofFrames: 5, beginScore: 0, endBelow: 2, quietMs: 0, gapMs: 1000 };
it.each<[Partial<EventRule>, Partial<EventRule>]>([
  [{ atLeast: 7 }, { atLeast: 7, ofFrames: 7 }],
  [{ atLeast: 1 }, { atLeast: 1, endBelow: 1 }],
  [{ atLeast: 0.2 }, { atLeast: 1, endBelow: 1 }],
  [{ atLeast: 20_000 }, { atLeast: 9000, ofFrames: 9000 }],
  [{ ofFrames: 2 }, { atLeast: 2, ofFrames: 2 }],
  [{ ofFrames: 2.6 }, { ofFrames: 3 }],
  [{ ofFrames: -4 }, { atLeast: 1, ofFrames: 1, endBelow: 1 }],
  [{ ofFrames: 30_000 }, { ofFrames: 9000 }],
  [{ endBelow: 9 }, { endBelow: 3 }],
  [{ endBelow: 0 }, { endBelow: 1 }],
  [{ beginScore: 3 }, { beginScore: 1 }],
  [{ beginScore: -3 }, { beginScore: 0 }],
  [{ quietMs: -5 }, { quietMs: 0 }],
  [{ gapMs: 0 }, { gapMs: 100 }],
])('takes a typed %o as %o', (typed, expected) => {
  const changed = changeRule(typedRule, typed);
  expect(changed).toEqual({ ...typedRule, ...expected });
  expect(() => refuseUnfitRule(changed)).not.toThrow();
});

it('lets the end of an event follow its beginning while both are the same', () => {
  expect(changeRule({ ...typedRule, endBelow: 3 }, { atLeast: 4 }).endBelow).toBe(4);
});

it('says a rule in words without the numbers that do nothing', () => {
  expect(eventRuleText(plainEventRule)).toBe('present in 1 of 1 frames, each is reported');
});
