import type { Outputs } from '../../src/machine/vision/decode/outputs.ts';

/** The outputs of a detector for a busy street: one in ten boxes has a score above 0.5. */
export function boxOutputs(count: number, labelCount: number, seed = 1): Outputs {
  const location = new Float32Array(4 * count);
  const category = new Float32Array(count);
  const score = new Float32Array(count);
  let state = seed;
  const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
  for (let i = 0; i < count; i++) {
    const y = random() * 0.8;
    const x = random() * 0.8;
    location.set([y, x, y + random() * 0.2, x + random() * 0.2], 4 * i);
    category[i] = Math.floor(random() * labelCount);
    score[i] = random() < 0.1 ? 0.5 + random() / 2 : random() / 2;
  }
  return new Map([
    ['location', { dtype: 'float32', shape: [1, count, 4], data: location }],
    ['category', { dtype: 'float32', shape: [1, count], data: category }],
    ['score', { dtype: 'float32', shape: [1, count], data: score }],
  ]);
}
