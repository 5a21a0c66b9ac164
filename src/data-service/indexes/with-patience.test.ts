import { expect, it, onTestFinished, vi } from 'vitest';
import { StoreError } from '../ports/store-error.ts';
import { withPatience } from './with-patience.ts';

function working() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const reported: unknown[] = [];
  const answers: unknown[] = [];
  let end: (error: Error) => void = () => {};
  const work = new Promise<void>((_, reject) => (end = reject));
  void withPatience(work, 'work', { report: (error) => reported.push(error) }).then(
    () => answers.push('ok'),
    (error: unknown) => answers.push(error),
  );
  return { reported, answers, end };
}

it.each([
  [new StoreError('unavailable', 'The server ends.'), []],
  [new Error('a fault'), [new Error('a fault')]],
])('answers after 5 s, and then reports faults alone: %s', async (error, expected) => {
  const { reported, answers, end } = working();
  await vi.advanceTimersByTimeAsync(4999);
  expect(answers).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(answers).toEqual(['ok']);
  end(error);
  await vi.advanceTimersByTimeAsync(0);
  expect(reported).toEqual(expected);
});

it('fails with the work before, and reports nothing', async () => {
  const { reported, answers, end } = working();
  end(new Error('a fault'));
  await vi.advanceTimersByTimeAsync(0);
  expect([answers, reported, vi.getTimerCount()]).toEqual([[new Error('a fault')], [], 0]);
});
