import { randomSource } from '../../random-frame.ts';

/** Seeded random choices for one case, determined by the seed and the case's number. */
export interface Dice {
  /** in [0, 1) */
  readonly next: () => number;
  /** an integer, both ends included */
  whole(from: number, to: number): number;
  /** a number in [from, to) with `decimals` decimals */
  decimal(from: number, to: number, decimals?: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  list<T>(length: number, make: (index: number) => T): T[];
}

export function diceOf(seed: number, number: number): Dice {
  const next = randomSource(Math.imul(seed, 0x9e3779b1) + number);
  next(); // skip the first number, which is similar for similar seeds
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    decimal: (from, to, decimals = 3) => Number((from + next() * (to - from)).toFixed(decimals)),
    chance: (probability) => next() < probability,
    pick: (choices) => choices[whole(0, choices.length - 1)]!,
    list: (length, make) => Array.from({ length }, (_, index) => make(index)),
  };
}
