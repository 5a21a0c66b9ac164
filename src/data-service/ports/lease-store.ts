import type { Micros } from './stored-captures.ts';

/** The right to do something alone of all hosts that share a store, for a while. */
export interface Lease {
  readonly name: string;
  /** the fencing token: larger than that of everyone who held the lease before */
  readonly token: number;
}

/**
 * Leases of hosts, by the time of the store. A holder that was frozen does not know that its lease is over: only `renew` tells, and
 * the store where it checks a token within a write. What is done under a lease without that must be harmless when done twice.
 */
export interface LeaseStore {
  /** Takes a lease that nobody holds, or that is over; null: another one holds it. */
  take(name: string, length: Micros): Promise<Lease | null>;
  /** Makes the lease end in `length` from now, also where it was over; `conflict` if another one has taken it. */
  renew(lease: Lease, length: Micros): Promise<void>;
  /** Gives the lease up, so that it can be renewed no more; nothing happens if another one has taken it. */
  release(lease: Lease): Promise<void>;
}
