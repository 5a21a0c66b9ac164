import { waitFor } from '../../base/schedule/wait-for.ts';
import { LinkError } from './link-error.ts';
import type { LiveMachine } from './live-machine.ts';

/** A machine at the address by which it answered first, and its answer. */
export interface AnsweringMachine<T> {
  readonly url: string;
  readonly machine: LiveMachine;
  readonly answer: T;
}

/** After this the next address is tried as well: a machine in the local network answers sooner (RFC 8305, "Happy Eyeballs"). */
const headStartMs = 250;

/**
 * Calls a machine at each of its addresses, the best one first and the next one a little later or when that fails, and takes the first
 * that answers. The others are closed. The error is that of the last address, or of the first that refuses the key.
 *
 * @param urls at least one
 * @throws LinkError
 */
export async function firstToAnswer<T>(
  urls: readonly string[],
  open: (url: string) => LiveMachine | Promise<LiveMachine>,
  ask: (machine: LiveMachine, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  wait: (ms: number, signal: AbortSignal) => Promise<void> = waitFor,
): Promise<AnsweringMachine<T>> {
  const decided = new AbortController();
  const ended = AbortSignal.any([signal, decided.signal]);
  const opened: LiveMachine[] = [];

  async function call(url: string): Promise<AnsweringMachine<T>> {
    ended.throwIfAborted();
    const machine = await open(url);
    if (ended.aborted) machine.close(); // none closes it later
    ended.throwIfAborted();
    opened.push(machine);
    return { url, machine, answer: await ask(machine, ended) };
  }

  const attempts: Promise<AnsweringMachine<T>>[] = [];
  let start = Promise.resolve();
  for (const url of urls) {
    const before = attempts.at(-1)?.then(never, nothing);
    if (before) start = Promise.race([before, start.then(() => wait(headStartMs, ended))]);
    attempts.push(start.then(() => call(url)));
  }
  const first = Promise.any(attempts).catch((all: AggregateError) => Promise.reject(all.errors.at(-1) as Error));
  const refused = attempts.map((attempt) =>
    attempt.then(never, (error: Error) => (isRefusal(error) ? Promise.reject(error) : never())),
  );
  let winner: LiveMachine | null = null;
  try {
    const answered = await Promise.race([first, ...refused]);
    signal.throwIfAborted();
    winner = answered.machine;
    return answered;
  } finally {
    decided.abort();
    for (const machine of opened) if (machine !== winner) machine.close();
  }
}

const nothing = (): void => undefined;
const never = (): Promise<never> => new Promise(nothing);
const isRefusal = (error: Error): boolean => error instanceof LinkError && error.code === 'wrong-key';
