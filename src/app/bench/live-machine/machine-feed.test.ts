import { describe, expect, it } from 'vitest';
import { LinkError } from '../../../remote/live-machine/link-error.ts';
import { feedFrames, type FeedFrame, type FeedOptions } from './machine-feed.ts';

const lost = new LinkError('no-answer', 'gone', 'wait');
const frameOf = (byte: number): FeedFrame => ({
  image: { sourceName: '', mediaType: 'image/png', bytes: Uint8Array.of(byte), capturedAtMs: null },
  said: null,
});

/** A feed whose answers are these, then a break-off; its log tells what happened in order. */
function feed(answers: readonly (number | Error)[], { gapMs = 0, showMs = 0 } = {}) {
  const log: string[] = [];
  const stop = new AbortController();
  let nowMs = 0;
  let asked = 0;
  const options: FeedOptions = {
    async ask() {
      const answer = answers[asked++];
      log.push('ask');
      if (answer === undefined) return new Promise(() => {});
      if (typeof answer !== 'number') throw answer;
      return frameOf(answer);
    },
    async show({ image }, index) {
      log.push(`show ${index}:${image.bytes[0]}`);
      nowMs += showMs;
      if (image.bytes[0] === answers.findLast((answer) => typeof answer === 'number')) stop.abort();
    },
    onLost: (error) => log.push(error ? 'lost' : 'back'),
    leastGapMs: () => gapMs,
    async wait(ms) {
      log.push(`wait ${ms}`);
      nowMs += ms;
    },
    nowMs: () => nowMs,
  };
  return { log, done: feedFrames(options, stop.signal) };
}

describe('frames of a live machine', () => {
  it('asks for the next one before it shows one, and never for two', async () => {
    const { log, done } = feed([1, 2]);
    await done;
    expect(log).toEqual(['ask', 'ask', 'show 0:1', 'ask', 'show 1:2']);
  });

  it('keeps the pace that was chosen, and asks only when it is due', async () => {
    const { log, done } = feed([1, 2], { gapMs: 100, showMs: 30 });
    await done;
    expect(log).toEqual(['ask', 'show 0:1', 'wait 70', 'ask', 'show 1:2', 'wait 70']);
  });

  it('asks a machine that is lost again, later each time, and says when it is back', async () => {
    const { log, done } = feed([lost, lost, 7]);
    await done;
    expect(log.slice(0, 7)).toEqual(['ask', 'lost', 'wait 500', 'ask', 'lost', 'wait 1000', 'ask']);
    expect(log).toContain('back');
  });

  it.each([
    ['no-answer', 'two seconds', [500, 1000, 2000, 2000, 2000]],
    ['offline', 'two seconds', [500, 1000, 2000, 2000, 2000]],
    ['no-route', 'two seconds', [500, 1000, 2000, 2000, 2000]],
    ['busy', 'ten seconds', [500, 1000, 2000, 4000, 8000, 10_000, 10_000]],
  ] as const)('after %s never waits longer than %s', async (code, _, expected) => {
    const error = new LinkError(code, 'gone', 'wait');
    const { log, done } = feed([...expected.map(() => error), 1]);
    await done;
    const waits = log.filter((line) => line.startsWith('wait')).map((line) => Number(line.slice(5)));
    expect(waits).toEqual(expected);
  });

  it.each(['failed', 'no-such-resource'] as const)('asks again after %s, once a frame has come', async (code) => {
    const failed = new LinkError(code, 'lens cap on', 'take it off');
    const { log, done } = feed([1, failed, 2]);
    await done;
    expect(log).toEqual(['ask', 'ask', 'show 0:1', 'lost', 'wait 500', 'ask', 'back', 'ask', 'show 1:2']);
    await expect(feed([failed, 1]).done).rejects.toBe(failed);
  });

  it('ends with what no patience mends', async () => {
    const refused = new LinkError('wrong-key', 'no', 'give one');
    await expect(feed([1, refused]).done).resolves.toBeUndefined(); // it was broken off before anybody looked
    await expect(feed([refused, 1]).done).rejects.toBe(refused);
  });
});
