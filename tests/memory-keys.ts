import type { ServerTarget } from '../src/remote/outbox/outbox-target.ts';
import type { TargetKeys } from '../src/remote/outbox/target-keys.ts';

/** A key store in memory. Tests can read its keys, by "address id". */
export function memoryKeys() {
  const kept = new Map<string, { key: string; keep: boolean }>();
  const placeOf = ({ url, keyId }: ServerTarget): string => `${url} ${keyId}`;
  const keys: TargetKeys = {
    get: async (target) => kept.get(placeOf(target))?.key ?? null,
    give: async (target, key, keep) => void kept.set(placeOf(target), { key, keep }),
    isKept: async () => false,
    forget: async () => undefined,
  };
  return { kept, keys };
}
