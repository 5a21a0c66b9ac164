import { expect, it } from 'vitest';
import { failedFrame, footageFrame, memoryFootageStore, runSetup } from '../../../../tests/footage-frames.ts';
import { RunDigest } from '../../../evidence/footage/run-digest.ts';
import { FootageDigest, type DigestOrder } from './footage-digest.svelte.ts';
import { RunFrames } from './run-frames.ts';

const rule = (minimum: number): DigestOrder['rule'] => ({ defaultMinimumConfidence: minimum, labelConfidences: {} });

/** Frames 0 to 599 and 900 to 1199, whose scores rise and of which one failed; all but the last page are on the disk. */
async function kept() {
  const store = memoryFootageStore();
  const frames = new RunFrames(store, 'one', 1);
  for (let index = 0; index < 1200; index++) {
    if (index === 77) frames.add(failedFrame(index));
    else if (index < 600 || index >= 900) frames.add(footageFrame(index, [['cat', index / 1200]]));
  }
  await frames.keep({ fingerprint: 'f', setup: runSetup, isWhole: false });
  const span = { fromMs: 0, toMs: 130_000, bucketCount: 10 };
  const orderOf = (minimum: number): DigestOrder => ({ frames, rule: rule(minimum), span, holdMs: 0 });
  return { frames, orderOf };
}

/** The same, made at once. */
async function atOnce({ frames, rule, span, holdMs }: DigestOrder) {
  const digest = new RunDigest(span, rule, holdMs);
  for await (const frame of frames.all()) digest.add(frame);
  return { labels: digest.labels, changes: digest.changes, failedCount: digest.failedCount };
}

const shown = ({ labels, changes, failedCount }: FootageDigest) => ({ labels, changes, failedCount });

it('has every frame once, those of the disk, those of memory, and those that come', async () => {
  const { frames, orderOf } = await kept();
  const digest = new FootageDigest(() => 0);
  const order = orderOf(0.5);
  expect((await digest.follow(order))?.frameCount).toBe(900);
  expect([shown(digest), digest.share]).toEqual([await atOnce(order), 1]);
  for (let index = 1200; index < 1300; index++) frames.add(footageFrame(index, [['dog', 0.9]]));
  const both = [digest.follow(order), digest.follow(order)];
  frames.add(footageFrame(1300, [['dog', 0.2]]));
  expect((await Promise.all(both)).map((one) => one?.frameCount)).toEqual([1001, 1001]);
  expect(shown(digest)).toEqual(await atOnce(order));
});

it('is of the rule that came last', async () => {
  const { orderOf } = await kept();
  const digest = new FootageDigest(() => 0);
  const orders = [0.1, 0.9, 0.4].map(orderOf);
  const made = await Promise.all(orders.map((order) => digest.follow(order)));
  expect(made.map((one) => one?.frameCount)).toEqual([undefined, undefined, 900]);
  expect(shown(digest)).toEqual(await atOnce(orders[2]!));
});

it('says how far it is while frames are read back', async () => {
  const { orderOf } = await kept();
  let nowMs = 0;
  const shares: number[] = [];
  const digest = new FootageDigest(() => {
    shares.push(digest?.share);
    return (nowMs += 600);
  });
  await digest.follow(orderOf(0.5));
  expect(shares.at(-1)).toBeCloseTo(1024 / 1200);
  expect(digest.share).toBe(1);
});

it('says why frames cannot be read back, and tries again', async () => {
  const { frames, orderOf } = await kept();
  let isBroken = true;
  const page: RunFrames['page'] = (number) => isBroken && number === 1 ? Promise.reject(new Error('The disk is gone.')) : frames.page(number); // prettier-ignore
  const order = { ...orderOf(0.5), frames: { last: frames.last, page } as Partial<RunFrames> as RunFrames };
  const digest = new FootageDigest(() => 0);
  expect([await digest.follow(order), digest.fault]).toEqual([null, 'The disk is gone.']);
  isBroken = false;
  expect([(await digest.follow(order))?.frameCount, digest.fault]).toEqual([900, '']);
});

it('shows nothing of another run, and nothing once it is forgotten', async () => {
  const { frames, orderOf } = await kept();
  const digest = new FootageDigest(() => 0);
  const order = orderOf(0.5);
  await digest.follow(order);
  const later = digest.follow({ ...order, frames: new RunFrames(memoryFootageStore(), 'two', 1) });
  expect(shown(digest)).toEqual({ labels: [], changes: [], failedCount: 0 });
  expect((await later)?.frameCount).toBe(0);

  expect((await digest.follow(order))?.frameCount).toBe(900);
  frames.add(footageFrame(1200, [['cat', 0.9]]));
  const interrupted = digest.follow(order);
  digest.forget();
  expect(await interrupted).toBeNull();
  expect(shown(digest)).toEqual({ labels: [], changes: [], failedCount: 0 });
  await digest.follow(order);
  expect(shown(digest)).toEqual(await atOnce(order));
});
