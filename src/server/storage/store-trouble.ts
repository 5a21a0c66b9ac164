import { setTimeout } from 'node:timers/promises';
import { StoreError } from '../../data-service/face/stores.ts';
import type { Log } from '../http/log.ts';

interface Trouble {
  /** for whoever asks */
  readonly words: string;
  /** for keepers, who alone may read addresses */
  readonly reason: string;
}

/**
 * Tells why a store of several parts cannot be used, in words without addresses; null: it can. A part that is silent for
 * `patienceMs` is in trouble, and is not asked again before it has answered. The log has a line whenever that changes, which says
 * more.
 * @param parts by their names, as "the bucket"; each rejects where it cannot be used
 */
export function storeTrouble(
  parts: Readonly<Record<string, () => Promise<void>>>,
  log: Pick<Log, 'warn' | 'info'>,
  patienceMs: number,
): () => Promise<string | null> {
  const asked = new Map<string, Promise<Trouble | null>>();
  let before: string | null = null;

  async function troubleOf([name, ask]: readonly [string, () => Promise<void>]): Promise<Trouble | null> {
    if (!asked.has(name)) {
      const answer = ask().then(() => null, troubleIn);
      asked.set(
        name,
        answer.finally(() => asked.delete(name)),
      );
    }
    const heard = new AbortController();
    const words = `${name} does not answer within ${patienceMs / 1000} s.`;
    const silence = setTimeout(patienceMs, { words, reason: words }, { signal: heard.signal });
    try {
      return await Promise.race([asked.get(name)!, silence.catch(() => null)]);
    } finally {
      heard.abort();
    }
  }

  return async () => {
    const troubles = (await Promise.all(Object.entries(parts).map(troubleOf))).filter((trouble) => trouble !== null);
    const reason = troubles.map((trouble) => trouble.reason).join(' ') || null;
    if (reason !== before) {
      if (reason === null) log.info('the store can be used again');
      else log.warn({ reason }, 'the store cannot be used');
    }
    before = reason;
    return troubles.map(({ words }) => words).join(' ') || null;
  };
}

function troubleIn(error: unknown): Trouble {
  const words = error instanceof Error ? error.message : String(error);
  return { words, reason: error instanceof StoreError ? `${words} ${error.detail}`.trim() : words };
}
