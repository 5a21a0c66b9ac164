import { expect } from 'vitest';

/** Whether an example gives what it says, as `toEqual` compares. */
export function equals(received: unknown, expected: unknown): boolean {
  try {
    expect(received).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}
