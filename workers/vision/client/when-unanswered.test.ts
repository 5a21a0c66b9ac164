import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { whenUnanswered } from './when-unanswered.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function called() {
  const abort = new AbortController();
  let answer!: () => void;
  let refuse!: (error: Error) => void;
  const call = new Promise<void>((resolve, reject) => ([answer, refuse] = [resolve, reject]));
  const onSilence = vi.fn();
  return { abort, call, answer, refuse, onSilence };
}

describe('whenUnanswered', () => {
  it('tells of silence once the time after the abort is over, not before and not without one', async () => {
    const { abort, call, onSilence } = called();
    whenUnanswered(call, abort.signal, 2000, onSilence);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onSilence).not.toHaveBeenCalled();
    abort.abort();
    await vi.advanceTimersByTimeAsync(1999);
    expect(onSilence).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onSilence).toHaveBeenCalledTimes(1);
  });

  it('counts from the call where its signal was aborted before', async () => {
    const { abort, call, onSilence } = called();
    abort.abort();
    whenUnanswered(call, abort.signal, 2000, onSilence);
    await vi.advanceTimersByTimeAsync(2000);
    expect(onSilence).toHaveBeenCalledTimes(1);
  });

  it.each(['answered', 'refused'])('says nothing of a call that was %s in time, nor of a late abort', async (how) => {
    const { abort, call, answer, refuse, onSilence } = called();
    whenUnanswered(call, abort.signal, 2000, onSilence);
    abort.abort();
    await vi.advanceTimersByTimeAsync(1999);
    if (how === 'answered') answer();
    else refuse(new Error('aborted'));
    await vi.advanceTimersByTimeAsync(60_000);
    const late = called();
    whenUnanswered(late.call, late.abort.signal, 2000, onSilence);
    late.answer();
    await vi.advanceTimersByTimeAsync(0);
    late.abort.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onSilence).not.toHaveBeenCalled();
  });
});
