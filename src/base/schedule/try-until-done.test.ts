import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { tryUntilDone } from './try-until-done.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** When each attempt was made; the answers are those of the attempts, one after the other. */
function attemptsOf(answers: readonly (boolean | Error)[]): number[] {
  const start = Date.now();
  const at: number[] = [];
  const attempt = async (): Promise<boolean> => {
    const answer = answers[at.push(Date.now() - start) - 1]!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  tryUntilDone(attempt, { firstAfterMs: 8_000, againAfterMs: 60_000 });
  return at;
}

const missingChunk = new TypeError('Failed to fetch dynamically imported module');

it.each([
  ['at once, where the first is done', [true], [8_000]],
  ['until one is done', [false, false, true], [8_000, 68_000, 128_000]],
  ['after a failure too', [missingChunk, false, missingChunk, true], [8_000, 68_000, 128_000, 188_000]],
])('attempts %s', async (_, answers, expected) => {
  const at = attemptsOf(answers);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(at).toEqual(expected);
});
