import { expect, it } from 'vitest';
import { refuseVastInputs } from './refuse-vast-inputs.ts';

const input = (...shape: number[]) => ({ name: 'image', dtype: 'float32', shape, symbols: [] }) as const;

it('refuses an input that no memory holds, and says which and how large it is', () => {
  for (const sides of [
    [100_000, 100_000],
    [16_000, 16_000],
    [2 ** 53, 1],
  ] as const)
    expect(() => refuseVastInputs([input(1, 3, 8, 8), input(1, 3, ...sides)])).toThrow(
      expect.objectContaining({ code: 'out-of-memory', message: expect.stringContaining(String(sides[0])) }),
    );
});

it.each([
  ['a large picture', [1, 3, 8192, 8192]],
  ['open sides', [-1, 3, -1, -1]],
  ['what ends just there', [2 ** 28]],
])('takes %s', (_, shape) => {
  expect(() => refuseVastInputs([input(...shape)])).not.toThrow();
});
