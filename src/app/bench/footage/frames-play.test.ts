import { expect, it } from 'vitest';
import { footageFrame, memoryFootageStore } from '../../../../tests/footage-frames.ts';
import type { FootageFrame } from '../../../evidence/footage/footage-frame.ts';
import { FramesPlay } from './frames-play.svelte.ts';
import { RunFrames } from './run-frames.ts';

function tenFrames(): RunFrames {
  const frames = new RunFrames(memoryFootageStore(), 'one');
  for (let index = 0; index < 10; index++) frames.add(footageFrame(index, []));
  return frames;
}
const frames = tenFrames();
const order = (name: string, of = frames) => ({ frames: of, name });

/** Says the order's name and how many frames it heard. */
const counting = () =>
  new FramesPlay(
    ({ name }: ReturnType<typeof order>) => {
      let count = 0;
      return { add: () => count++, end: () => `${name} ${count}` };
    },
    (before, now) => before.name[0] !== now.name[0],
  );

/** Frames that are read back as `all` says. */
const readBack = (all: () => AsyncGenerator<FootageFrame>): RunFrames =>
  Object.assign(Object.create(frames) as RunFrames, { all });

it('plays all frames, and of orders that come meanwhile the last one', async () => {
  const play = counting();
  await Promise.all(['a1', 'a2', 'a3'].map((name) => play.follow(order(name))));
  expect(play.result).toBe('a3 10');
});

it('keeps the result before in sight, unless it says nothing of the new order', async () => {
  const play = counting();
  await play.follow(order('a1'));
  const same = play.follow(order('a2'));
  expect(play.result).toBe('a1 10');
  const other = play.follow(order('b'));
  expect(play.result).toBeNull();
  await Promise.all([same, other]);
  expect(play.result).toBe('b 10');
  const ofOthers = play.follow(order('b', tenFrames()));
  expect(play.result).toBeNull();
  await ofOthers;
});

it('shows nothing that arrives after it was cleared, in the midst or at the end', async () => {
  const play = counting();
  const playing = play.follow(order('a'));
  play.clear();
  await playing;
  expect(play.result).toBeNull();
  const clearedLast = readBack(async function* () {
    yield* frames.all();
    play.clear();
  });
  await play.follow(order('a', clearedLast));
  expect(play.result).toBeNull();
  const clearedAndGone = readBack(async function* () {
    yield* frames.all();
    play.clear();
    throw new Error('the run is gone');
  });
  await play.follow(order('a', clearedAndGone));
  expect(play.fault).toBe('');
});

it('says why frames could not be read back, until they can', async () => {
  const play = counting();
  const gone = readBack(() => {
    throw new Error('the run is gone');
  });
  await play.follow(order('a', gone));
  expect(play.fault).toBe('the run is gone');
  await play.follow(order('a'));
  expect([play.fault, play.result]).toEqual(['', 'a 10']);
});
