import type { ServerTarget } from './outbox-target.ts';

/** Keys of targets. None is ever in an entry, a target, an export, a log or an error. */
export interface TargetKeys {
  /** null: the person has to give it */
  get(target: ServerTarget): Promise<string | null>;
  /** `keep` false: in memory, until the tabs are closed. True: encrypted in this browser too. */
  give(target: ServerTarget, key: string, keep: boolean): Promise<void>;
  /** Whether it is kept beyond this visit. */
  isKept(targetId: string): Promise<boolean>;
  forget(targetId: string): Promise<void>;
}

/** Takes a secret out of a text that others wrote. */
export function redacting(secret: string): (text: string) => string {
  return (text) => (secret.length >= 4 ? text.replaceAll(secret, '[key]') : text);
}
