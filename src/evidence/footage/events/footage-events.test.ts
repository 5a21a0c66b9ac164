import { describe, expect, it } from 'vitest';
import { classifiedFrame, failedFrame, footageFrame } from '../../../../tests/footage-frames.ts';
import { plainEventRule, type EventRule } from '../../events/event-rule.ts';
import { serviceFilter } from '../../../machine/vision/filter/service-filter.ts';
import type { FootageFrame } from '../footage-frame.ts';
import { FootageEventsPlay } from './footage-events.ts';
import { keptScores } from './kept-scores.ts';

const rule: EventRule = { ...plainEventRule, atLeast: 2, ofFrames: 3, endBelow: 2, gapMs: 1000 };

/** Ten frames a second: a digit is the score of a cat in tenths, '.' a frame with a dog alone, 'x' one that failed. */
const clip = (text: string): readonly FootageFrame[] =>
  [...text].map((sign, index) => {
    if (sign === 'x') return failedFrame(index);
    return footageFrame(index, sign === '.' ? [['dog', 0.9]] : [['cat', Number(sign) / 10]]);
  });

function play(frames: readonly FootageFrame[], changes: Partial<EventRule> = {}, lowest = 0.5, label = 'cat') {
  const filter = serviceFilter({ defaultMinimumConfidence: lowest, labelConfidences: {} });
  const player = new FootageEventsPlay(label, { ...rule, ...changes }, filter);
  for (const frame of frames) player.add(frame);
  return player.end();
}

describe('FootageEventsPlay', () => {
  it('says where the events of a label begin, and how late the first one is', () => {
    const { label, events, delayMs } = play(clip('....5.67..9..88.'));
    expect(label).toBe('cat');
    expect(events.map(({ index, event }) => [index, event.startMs, event.endMs, event.peakScore])).toEqual([
      [6, 600, 800, 0.7],
      [14, 1400, 1500, 0.8],
    ]);
    expect(delayMs).toBe(200);
  });

  it.each<[string, number, number]>([
    // alarms without the rule, single frames that are in no event
    ['....5....5....5', 3, 3],
    ['....5.6...5', 3, 1], // the first two make an event
    ['..55..5', 2, 0], // the event lasts until both have left the window, in which the next one is
    ['..55...5', 2, 1],
    ['5', 1, 1],
    ['5x5', 1, 0], // a frame that failed is none
    ['.......', 0, 0],
  ])('in "%s": %s without the rule, %s flickers', (text, withoutRule, flickers) => {
    expect(play(clip(text), { endBelow: 1 })).toMatchObject({ withoutRule, flickers });
  });

  it('hears only what the threshold keeps', () => {
    expect(play(clip('..55..')).events.length).toBe(1);
    expect(play(clip('..55..'), {}, 0.51).events.length).toBe(0);
    expect(play(clip('..58..'), { beginScore: 0.6 }).events.length).toBe(0);
  });

  it('tells the delay of the first event that is told', () => {
    expect(play(clip('.......')).delayMs).toBeNull();
    const twice = play(clip('..55.....5.5'), { quietMs: 60_000 });
    expect([twice.delayMs, twice.events.map(({ event }) => event.isTold)]).toEqual([100, [true, false]]);
  });

  it('hears classes', () => {
    const frames = [0.9, 0.2, 0.8].map((score, index) => classifiedFrame(index, { cat: score, dog: 1 - score }));
    expect(play(frames).events.map(({ index }) => index)).toEqual([2]);
  });
});

it('keptScores gives each result that is kept', () => {
  const filter = serviceFilter({ defaultMinimumConfidence: 0.5, labelConfidences: {} });
  const frame = footageFrame(0, [
    ['cat', 0.9],
    ['dog', 0.6],
    ['cat', 0.4],
    ['cat', 0.7],
  ]);
  expect(keptScores(frame, filter)).toEqual([
    ['cat', 0.9],
    ['dog', 0.6],
    ['cat', 0.7],
  ]);
  expect(keptScores(frame, filter, 'dog')).toEqual([['dog', 0.6]]);
  expect(keptScores(failedFrame(0), filter)).toEqual([]);
});
