/**
 * Calls `onSilence` if a call is not answered within `patienceMs` of its signal's abort: the worker does not react
 * any more. At most once, and never after the answer.
 */
export function whenUnanswered(
  call: Promise<unknown>,
  signal: AbortSignal,
  patienceMs: number,
  onSilence: () => void,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): void => void (timer = setTimeout(onSilence, patienceMs));
  const settle = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', wait);
  };
  if (signal.aborted) wait();
  else signal.addEventListener('abort', wait, { once: true });
  call.then(settle, settle);
}
