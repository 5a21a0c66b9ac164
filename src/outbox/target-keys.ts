import type { ServerTarget } from './outbox-target.ts';

/** Keys of targets. None is ever in an entry, a target, an export, a log or an error. */
export interface TargetKeys {
  /** null: the person has to give it */
  get(target: ServerTarget): Promise<string | null>;
  /** `keep` false: in memory, over reloads, until the tabs are closed. True: encrypted in this browser too. */
  give(target: ServerTarget, key: string, keep: boolean): Promise<void>;
  /** Whether it is kept beyond this visit. */
  isKept(targetId: string): Promise<boolean>;
  forget(targetId: string): Promise<void>;
}

/** A server that is asked, not sent to, as the keeper of keys knows it: a key opens for just this address and id. */
export function keyHolder(kind: 'machine' | 'account', url: string, keyId: string): ServerTarget {
  return { kind: 'server', id: `${kind}:${url}`, name: url, url, keyId, partId: '', notBeforeMs: 0, needsKey: false };
}

/** The key that is typed, else the one that was given for this server before; null = neither. */
export async function typedOrKept(
  keys: TargetKeys,
  holder: ServerTarget,
  typed: string,
  keep: boolean,
): Promise<string | null> {
  if (typed !== '') await keys.give(holder, typed, keep);
  return keys.get(holder);
}

/** Takes a secret out of a text that others wrote. */
export function redacting(secret: string): (text: string) => string {
  return (text) => (secret.length >= 4 ? text.replaceAll(secret, '[key]') : text);
}
