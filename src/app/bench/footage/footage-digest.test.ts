import { expect, it } from 'vitest';
import { failedFrame, footageFrame, memoryFootageStore, runSetup } from '../../../../tests/footage-frames.ts';
import { RunDigest } from '../../../evidence/footage/run-digest.ts';
import { FootageDigest, type DigestOrder } from './footage-digest.svelte.ts';
import { RunFrames } from './run-frames.ts';

const rule = (minimum: number): DigestOrder['rule'] => ({ defaultMinimumConfidence: minimum, labelConfidences: {} });

const frameNumbers = [...Array(1200).keys()];

/** Frames 0 to 599 and 900 to 1199, whose scores rise and of which one failed; all but the last page are on the disk. */
async function kept() {
  const store = memoryFootageStore();
  const frames = new RunFrames(store, 'one', 1);
  for (const index of frameNumbers) {
    if (index === 77) frames.add(failedFrame(index));
    else if (index < 600 || index >= 900) frames.add(footageFrame(index, [['cat', index / 1200]]));
  }
  await frames.keep({ fingerprint: 'f', setup: runSetup, isWhole: false });
  const span = { fromMs: 0, toMs: 130_000, bucketCount: 10 };
  const orderOf = (minimum: number): DigestOrder => ({ frames, rule: rule(minimum), span, holdMs: 0 });
  return { frames, orderOf, read: store.read };
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

it('reads no frame again for another rule', async () => {
  const { orderOf, read } = await kept();
  const digest = new FootageDigest(() => 0);
  await digest.follow(orderOf(0.5));
  const before = read.length;
  const order = orderOf(0.7);
  await digest.follow(order);
  expect(read).toHaveLength(before);
  expect(shown(digest)).toEqual(await atOnce(order));
});

it('shows what the rule that came last says, also of frames that are still read back', async () => {
  const { frames, orderOf } = await kept();
  const [first, second] = [orderOf(0.1), orderOf(0.9)];
  let nowMs = 0;
  const digest = new FootageDigest(() => (nowMs += 600));
  let late: Promise<unknown> = Promise.resolve();
  const page: RunFrames['page'] = (number) => {
    if (number === 2) late = digest.follow(of(second));
    expect(digest.labels[0]?.threshold ?? 0.1).toBe(number < 3 ? 0.1 : 0.9);
    return frames.page(number);
  };
  const slow = { last: frames.last, page } as Partial<RunFrames> as RunFrames;
  const of = (order: DigestOrder): DigestOrder => ({ ...order, frames: slow });
  expect(await digest.follow(of(first))).toBeNull();
  expect(await late).not.toBeNull();
  expect(shown(digest)).toEqual(await atOnce(second));
});

it('drops what it plays in pieces once another rule came, also one that takes less long', async () => {
  const { orderOf } = await kept();
  const [first, second] = [orderOf(0.2), orderOf(0.8)];
  const later: Promise<unknown>[] = [];
  let [nowMs, calls] = [0, -Infinity];
  const digest = new FootageDigest(() => {
    if (calls >= 0 && later.length === 0) nowMs += 30;
    if (++calls === 3) later.push(digest.follow(second)); // the first piece of the first rule is played
    return nowMs;
  });
  await digest.follow(orderOf(0.5));
  calls = 0;
  expect([await digest.follow(first), await Promise.all(later)]).toEqual([null, [expect.anything()]]);
  expect(shown(digest)).toEqual(await atOnce(second));
});

/** Frames whose pages are read once `before` has resolved. */
const slowly = (frames: RunFrames, before: (page: number) => unknown): RunFrames =>
  ({
    last: frames.last,
    page: async (number: number) => {
      await before(number);
      return frames.page(number);
    },
  }) as Partial<RunFrames> as RunFrames;

it('reads frames no further for a rule once another one came', async () => {
  const { frames, orderOf } = await kept();
  const digest = new FootageDigest(() => 0, 400);
  let [isAgain, readAgain] = [false, 0];
  const slow = slowly(frames, async () => {
    if (isAgain && ++readAgain === 2) await digest.follow(second);
  });
  const [first, second] = [0.05, 0.95].map((minimum) => ({ ...orderOf(minimum), frames: slow })) as [DigestOrder, DigestOrder]; // prettier-ignore
  await digest.follow(second);
  isAgain = true;
  expect(await digest.follow(first)).toBeNull();
  expect([readAgain, shown(digest)]).toEqual([2, await atOnce(orderOf(0.95))]);
});

it('shows nothing of rows that memory has no room for before they are read again', async () => {
  const frames = new RunFrames(memoryFootageStore(), 'one', 1);
  for (const index of frameNumbers) frames.add(footageFrame(index, [['cat', 1 - index / 1200]]));
  let [nowMs, shownTimes] = [0, 0];
  const digest: FootageDigest = new FootageDigest(() => nowMs, 400);
  const slow = slowly(frames, () => {
    nowMs += 600;
    const [cat] = digest.labels;
    if (!cat) return;
    expect(cat.kept).toBe(Math.round(1200 * digest.share));
    shownTimes++;
  });
  const span = { fromMs: 0, toMs: 130_000, bucketCount: 10 };
  await digest.follow({ frames: slow, rule: rule(0.001), span, holdMs: 0 });
  expect(shownTimes).toBeGreaterThan(4);
});

it('reads all frames again for a rule that keeps rows which memory has no room for', async () => {
  const { frames, orderOf, read } = await kept();
  const digest = new FootageDigest(() => 0, 400);
  const reads: number[] = [];
  for (const minimum of [0.9, 0.05, 0.95]) {
    const [order, before] = [orderOf(minimum), read.length];
    expect((await digest.follow(order))?.frameCount).toBe(900 + reads.length);
    reads.push(read.length - before);
    expect([shown(digest), digest.share]).toEqual([await atOnce(order), 1]);
    frames.add(footageFrame(1200 + reads.length, [['dog', 0.5]]));
    expect((await digest.follow(order))?.frameCount).toBe(900 + reads.length);
    expect(shown(digest)).toEqual(await atOnce(order));
  }
  expect(reads).toEqual([4, 4, 0]);
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
  expect(shares.findLast((share) => share < 1)).toBeCloseTo(1024 / 1200);
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
