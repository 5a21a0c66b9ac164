import { expect, it } from 'vitest';
import { SpareMemory } from './spare-memory.ts';

it('gives memory out again that was given back, by its size', () => {
  const memory = new SpareMemory();
  const [planes, colours] = [memory.take(6), memory.take(16)];
  expect([planes.byteLength, colours.byteLength]).toEqual([6, 16]);
  expect(memory.take(6)).not.toBe(planes);
  memory.give(planes);
  memory.give(colours);
  expect(memory.take(16)).toBe(colours);
  expect(memory.take(6)).toBe(planes);
});

it('keeps of four sizes what is spare, and no more than four of each', () => {
  const memory = new SpareMemory();
  const first = memory.take(6);
  for (const size of [16, 20, 24]) memory.take(size);
  memory.give(first);
  expect(memory.take(6)).toBe(first);
  memory.give(first);
  for (const size of [17, 21, 25, 29]) memory.take(size); // another camera: the size that was asked for longest ago goes
  expect(memory.take(6)).not.toBe(first);

  const many = Array.from({ length: 6 }, () => memory.take(6));
  for (const buffer of many) memory.give(buffer);
  const again = Array.from({ length: 6 }, () => memory.take(6));
  expect(again.filter((buffer) => many.includes(buffer))).toHaveLength(4);
});
