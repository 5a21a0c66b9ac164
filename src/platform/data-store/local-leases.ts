import type { Clock } from '../../data-service/face/hosts.ts';
import type { Lease, LeaseStore } from '../../data-service/face/stores.ts';
import type { Micros } from '../../data-service/face/captures.ts';
import { leaseLost } from './lease-rules.ts';

/** Leases within one process, for a store that only one host at a time does such work on. */
export function localLeases(clock: Clock): LeaseStore {
  const held = new Map<string, { readonly token: number; readonly until: Micros }>();
  const isHeld = ({ name, token }: Lease): boolean => held.get(name)?.token === token;
  return {
    async take(name, length) {
      const now = clock.now();
      const { token, until } = held.get(name) ?? { token: 0, until: -Infinity };
      // one that ends far beyond was set by a clock that ran ahead
      if (until >= now && until <= now + 2 * length) return null;
      held.set(name, { token: token + 1, until: now + length });
      return { name, token: token + 1 };
    },
    async renew(lease, length) {
      if (!isHeld(lease)) throw leaseLost(lease);
      held.set(lease.name, { token: lease.token, until: clock.now() + length });
    },
    async release(lease) {
      if (isHeld(lease)) held.set(lease.name, { token: lease.token + 1, until: -Infinity });
    },
  };
}
