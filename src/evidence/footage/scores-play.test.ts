import { describe, expect, it } from 'vitest';
import { classifiedFrame, failedFrame, footageFrame } from '../../../tests/footage-frames.ts';
import { randomSource } from '../../../tests/random-frame.ts';
import type { ServiceFilterRule } from '../../machine/vision/filter/thresholds.ts';
import type { FootageFrame } from './footage-frame.ts';
import { RunDigest, type DigestedRun } from './run-digest.ts';
import { RunScores } from './run-scores.ts';
import { ScoresPlay } from './scores-play.ts';
import type { TimelineSpan } from './timeline.ts';

const ofAll = (minimum: number): ServiceFilterRule => ({ defaultMinimumConfidence: minimum, labelConfidences: {} });

/** The same by the rule that reads every row. */
function digestOf(
  frames: readonly FootageFrame[],
  span: TimelineSpan,
  rule: ServiceFilterRule,
  holdMs: number,
): DigestedRun {
  const digest = new RunDigest(span, rule, holdMs);
  for (const frame of frames) digest.add(frame);
  return digest;
}

function scoresOf(frames: readonly FootageFrame[], span: TimelineSpan, mostRows?: number): RunScores {
  const scores = new RunScores(span, mostRows);
  for (const frame of frames) scores.add(frame);
  return scores;
}

function playOf(scores: RunScores, rule: ServiceFilterRule, holdMs: number): DigestedRun {
  const play = new ScoresPlay(scores, rule, holdMs);
  play.play();
  return play.digest();
}

const said = ({ span, frameCount, labels, changes, failedCount, failures }: DigestedRun) => ({ span, frameCount, labels, changes, failedCount, failures }); // prettier-ignore

/** Whatever frames may say: boxes, classes or both, equal scores, no numbers, labels twice, lists that change, failures, times beyond the span. */
function strangeFrames(random: () => number, count: number): FootageFrame[] {
  const lists = [
    ['cat', 'dog', 'Cat', 'cow'],
    ['dog', 'cat'],
    ['cat', 'dog', 'cat'],
  ];
  const among = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const score = (): number => among([Math.fround(random()), random(), Math.round(10 * random()) / 10, among([0, 1, NaN, Infinity, 0.5])]); // prettier-ignore
  const kind = among(['boxes', 'classes', 'both']);
  let [timeMs, lasting] = [0, 0];
  let rows: number[] = [];
  return Array.from({ length: count }, (_, index): FootageFrame => {
    timeMs += among([0, 33, 100, 100, 700]);
    if (random() < 0.02) return { ...failedFrame(index), timeMs };
    const labels = random() < 0.9 ? lists[0]! : among(lists);
    if (lasting-- <= 0) [lasting, rows] = [Math.floor(12 * random()), Array.from({ length: Math.floor(5 * random()) }, () => random())]; // prettier-ignore
    const scores = Float64Array.from(rows, () => score());
    const labelIndex = Uint32Array.from(rows, (row) => Math.floor(row * labels.length));
    const { detections } = footageFrame(index, []);
    const hasBoxes = kind === 'boxes' || (kind === 'both' && random() < 0.8);
    return footageFrame(index, [], {
      timeMs,
      name: random() < 0.5 ? 'clip.mp4' : `${index}.png`,
      detections: hasBoxes ? { ...detections!, count: rows.length, labels, labelIndex, score: scores } : null,
      classifications: kind === 'boxes' ? null : { labels, score: Float64Array.from(labels, () => score()) },
    });
  });
}

function strangeRule(random: () => number): ServiceFilterRule {
  const labels = ['cat', 'DOG', 'cow', 'none'].filter(() => random() < 0.6);
  if (random() < 0.5) return ofAll(random() < 0.2 ? 0 : Math.round(20 * random()) / 20);
  return { ...ofAll(0.5), labelConfidences: Object.fromEntries(labels.map((label) => [label, Math.round(10 * random()) / 10])) }; // prettier-ignore
}

describe('ScoresPlay', () => {
  it('says to the last digit what a digest of all frames says', () => {
    for (let seed = 1; seed <= 25; seed++) {
      const random = randomSource(seed);
      const frames = strangeFrames(random, 40 + Math.floor(900 * random()));
      const lastMs = frames.at(-1)!.timeMs;
      const span = {
        fromMs: 0,
        toMs: random() < 0.5 ? lastMs : 0.7 * lastMs,
        bucketCount: 1 + Math.floor(60 * random()),
      };
      const scores = scoresOf(frames, span);
      for (let round = 0; round < 4; round++) {
        const rule = strangeRule(random);
        const holdMs = random() < 0.3 ? 0 : 500;
        const seen = said(playOf(scores, rule, holdMs));
        expect(seen, `seed ${seed}, ${JSON.stringify(rule)}`).toEqual(said(digestOf(frames, span, rule, holdMs)));
      }
    }
  });

  it('goes on with a run, and what it gave before stays', () => {
    const frames = strangeFrames(randomSource(7), 1400);
    const span = { fromMs: 0, toMs: 100_000, bucketCount: 20 };
    const scores = new RunScores(span);
    const play = new ScoresPlay(scores, ofAll(0.4), 500);
    const given: [seen: DigestedRun, frames: number][] = [];
    for (const [at, frame] of frames.entries()) {
      scores.add(frame);
      if (at % 97 !== 0 && at < frames.length - 1) continue;
      expect(play.play()).toBe(true);
      given.push([play.digest(), at + 1]);
    }
    for (const [seen, count] of given)
      expect(said(seen)).toEqual(said(digestOf(frames.slice(0, count), span, ofAll(0.4), 500)));
  });

  it('plays some sheets at a time', () => {
    const frames = Array.from({ length: 1000 }, (_, index) => footageFrame(index, [['cat', 0.9]]));
    const scores = scoresOf(frames, { fromMs: 0, toMs: 100_000, bucketCount: 10 });
    const play = new ScoresPlay(scores, ofAll(0.5), 0);
    const kept: (number | undefined)[] = [];
    while (!play.play(() => true)) kept.push(play.digest().labels[0]?.kept);
    expect([...kept, play.digest().labels[0]?.kept]).toEqual([256, 512, 1000]);
  });
});

describe('RunScores', () => {
  const span = { fromMs: 0, toMs: 1_000_000, bucketCount: 10 };
  const many = (count: number): FootageFrame[] => {
    const random = randomSource(3);
    return Array.from(
      { length: count },
      (_, index) =>
      footageFrame(index, [['cat', random()], ['dog', random()], ['cat', random() ** 4]], random() < 0.01 ? { detections: null, stages: [] } : {}), // prettier-ignore
    );
  };

  it('leaves out the lowest scores where there are too many, and knows which', () => {
    const frames = many(6000);
    const scores = scoresOf(frames, span, 3000);
    const held = scores.sheets.reduce((sum, { scores: rows }) => sum + rows.length, 0);
    expect(held).toBeLessThan(3000 + 3 * 256 * 8);
    const floor = [...Array(101).keys()].map((step) => step / 100).find((value) => scores.hasAllOf(ofAll(value)))!;
    expect(floor).toBeGreaterThan(0.3);
    expect(floor).toBeLessThan(1);
    expect([scores.hasAllOf(ofAll(floor - 0.02)), scores.hasAllOf(ofAll(0))]).toEqual([false, false]);
    for (const rule of [ofAll(floor), ofAll(0.97), { ...ofAll(0), labelConfidences: { cat: 0.98 } }]) {
      expect(scores.hasAllOf(rule)).toBe(true);
      expect(said(playOf(scores, rule, 500))).toEqual(said(digestOf(frames, span, rule, 500)));
    }
    expect(scores.hasAllOf({ ...ofAll(0), labelConfidences: { cat: 0.98, dog: floor - 0.02 } })).toBe(false);
  });

  it('keeps no row where all scores are equal and too many', () => {
    const frames = Array.from({ length: 3000 }, (_, index) => footageFrame(index, [['cat', 1]]));
    const scores = scoresOf(frames, span, 500);
    expect(scores.hasAllOf(ofAll(1))).toBe(false);
    expect(scores.hasAllOf({ ...ofAll(0), labelConfidences: { dog: 0.5 } })).toBe(false);
    expect(scores.sheets.reduce((sum, { scores: rows }) => sum + rows.length, 0)).toBeLessThan(256 * 3);
    expect(playOf(scores, ofAll(1), 0).labels[0]!.scores.at(-1)).toBe(3000);
  });

  it('holds no more of frames beyond the span, whose scores no histogram has', () => {
    const scores = scoresOf(many(6000), { ...span, toMs: 0 }, 1000);
    expect(scores.sheets.reduce((sum, { scores: rows }) => sum + rows.length, 0)).toBeLessThan(1000 + 256 * 3);
  });

  it('takes five bytes a row of float32 scores', () => {
    const rows = [['cat', Math.fround(0.1)], ['dog', Math.fround(0.7)]] as const; // prettier-ignore
    const [sheet] = scoresOf(Array.from({ length: 256 }, (_, index) => footageFrame(index, rows)), span).sheets; // prettier-ignore
    expect([sheet!.scores.byteLength, sheet!.places.byteLength, sheet!.names]).toEqual([4 * 512, 512, ['clip.mp4']]);
  });

  it('ends a sheet early that has very many rows', () => {
    const classes = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`class ${at}`, at / 9000]));
    const frames = Array.from({ length: 20 }, (_, index) => classifiedFrame(index, classes));
    const scores = scoresOf(frames, span);
    expect(scores.sheets.map(({ indices }) => indices.length)).toEqual([8, 8]);
    expect(said(playOf(scores, ofAll(0.999), 0))).toEqual(said(digestOf(frames, span, ofAll(0.999), 0)));
  });
});
