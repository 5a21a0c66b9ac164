import { setTimeout } from 'node:timers/promises';
import type { Log } from './log.ts';

/**
 * Tells keepers why a store of several parts cannot be used, in words; null: it can. A part that is silent for `patienceMs` is in
 * trouble, and is not asked again before it has answered. The log has a line whenever that changes.
 * @param parts by their names, as "the bucket"; each rejects where it cannot be used
 */
export function storeTrouble(
  parts: Readonly<Record<string, () => Promise<void>>>,
  log: Pick<Log, 'warn' | 'info'>,
  patienceMs: number,
): () => Promise<string | null> {
  const asked = new Map<string, Promise<string | null>>();
  let before: string | null = null;

  async function troubleOf([name, ask]: readonly [string, () => Promise<void>]): Promise<string | null> {
    if (!asked.has(name)) {
      const answer = ask().then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      asked.set(
        name,
        answer.finally(() => asked.delete(name)),
      );
    }
    const heard = new AbortController();
    const silence = setTimeout(patienceMs, `${name} does not answer within ${patienceMs / 1000} s.`, {
      signal: heard.signal,
    });
    try {
      return await Promise.race([asked.get(name)!, silence.catch(() => null)]);
    } finally {
      heard.abort();
    }
  }

  return async () => {
    const troubles = await Promise.all(Object.entries(parts).map(troubleOf));
    const words = troubles.filter((trouble) => trouble !== null).join(' ') || null;
    if (words !== before) {
      if (words === null) log.info('the store can be used again');
      else log.warn({ reason: words }, 'the store cannot be used');
    }
    before = words;
    return words;
  };
}
