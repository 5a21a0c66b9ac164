import type { ServerTarget } from './outbox-target.ts';

/** The keys of targets. A key is never part of an entry, a target, an export, a log or an error. */
export interface TargetKeys {
  /** null: the person has to enter it */
  get(target: ServerTarget): Promise<string | null>;
  /**
   * `keep` false: in memory, also over reloads, until the tabs are closed. true: also encrypted in this browser's
   * storage.
   */
  give(target: ServerTarget, key: string, keep: boolean): Promise<void>;
  /** Whether the key is stored beyond this visit. */
  isKept(targetId: string): Promise<boolean>;
  forget(targetId: string): Promise<void>;
}

/**
 * Identifies a server that is only queried, not uploaded to, in the key store: a key belongs to exactly this
 * address and id.
 */
export function keyHolder(kind: 'machine' | 'account', url: string, keyId: string): ServerTarget {
  return { kind: 'server', id: `${kind}:${url}`, name: url, url, keyId, partId: '', notBeforeMs: 0, needsKey: false };
}

/** The typed key, otherwise the one that was entered for this server before; null: neither. */
export async function typedOrKept(
  keys: TargetKeys,
  holder: ServerTarget,
  typed: string,
  keep: boolean,
): Promise<string | null> {
  if (typed !== '') await keys.give(holder, typed, keep);
  return keys.get(holder);
}

/** Returns a function that removes a secret from texts that others wrote. */
export function redacting(secret: string): (text: string) => string {
  return (text) => (secret.length >= 4 ? text.replaceAll(secret, '[key]') : text);
}
