import { expect, it } from 'vitest';
import { LivePictures } from './live-pictures.ts';

const place = (index: number) => ({ index, name: 'clip.mp4', timeMs: index });

function pictures() {
  const closed: number[] = [];
  const picture = (number: number) =>
    Promise.resolve({ number, close: () => closed.push(number) } as unknown as ImageBitmap);
  const live = new LivePictures((given) => `small ${(given as unknown as { number: number }).number}`);
  return { live, picture, closed };
}

it('makes a small picture of a frame that was taken, and closes one that was not', async () => {
  const { live, picture, closed } = pictures();
  const [first, second] = [place(1), place(2)];
  live.offer(first, picture(1));
  live.offer(second, picture(2));
  live.take(first);
  live.take(second);
  live.leave();
  expect([await live.of(first), await live.of(second)]).toEqual(['', 'small 2']);
  expect(closed).toEqual([1]);
});

it('has none of a frame that was not offered, or whose picture fails', async () => {
  const { live } = pictures();
  const frame = place(1);
  live.take(frame);
  expect(await live.of(frame)).toBe('');
  live.offer(frame, Promise.reject(new Error('the stage is gone')));
  live.take(frame);
  expect(await live.of(frame)).toBe('');
});

it('closes what is offered last when it leaves', async () => {
  const { live, picture, closed } = pictures();
  live.offer(place(1), picture(1));
  live.leave();
  await Promise.resolve();
  expect(closed).toEqual([1]);
});

it('holds the last 400', async () => {
  const { live, picture } = pictures();
  const places = Array.from({ length: 401 }, (_, index) => place(index));
  for (const [index, frame] of places.entries()) {
    live.offer(frame, picture(index));
    live.take(frame);
  }
  const held = await Promise.all([0, 1, 400].map((index) => live.of(places[index]!)));
  expect(held).toEqual(['', 'small 1', 'small 400']);
});
