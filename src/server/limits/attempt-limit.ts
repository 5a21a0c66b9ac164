import { Code, ConnectError } from '@connectrpc/connect';
import { countedAddress } from '../http/client-address.ts';

const maxAddresses = 10_000;

interface Bucket {
  tokens: number;
  filledMs: number;
}

/**
 * Counts attempts by address, of IPv6 by network: `burst` at once, then `perMinute`. Addresses long quiet are forgotten
 * first, so that a crowd of them cannot fill the memory.
 */
export class AttemptLimit {
  readonly #burst: number;
  readonly #perMs: number;
  readonly #nowMs: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(burst: number, perMinute: number, nowMs: () => number) {
    this.#burst = burst;
    this.#perMs = perMinute / 60_000;
    this.#nowMs = nowMs;
  }

  /** The refusal of an attempt that is one too many. @param what that is attempted, as `log in` */
  refusal(what: string): ConnectError {
    const seconds = Math.ceil(1 / this.#perMs / 1000);
    const message = `Too many attempts to ${what}; try again in ${seconds} s.`;
    return new ConnectError(message, Code.ResourceExhausted, { 'retry-after': String(seconds) });
  }

  /** Whether one more attempt is allowed, without counting it. */
  allows(address: string): boolean {
    return this.#tokensOf(countedAddress(address)) >= 1;
  }

  /** An attempt that was counted was none. */
  giveBack(address: string): void {
    const bucket = this.#buckets.get(countedAddress(address));
    if (bucket) bucket.tokens++;
  }

  /** Counts an attempt; false: it was one too many. */
  take(address: string): boolean {
    const counted = countedAddress(address);
    const tokens = this.#tokensOf(counted);
    this.#buckets.delete(counted); // to the end of the map, which is in the order of the last attempt
    this.#buckets.set(counted, { tokens: tokens < 1 ? tokens : tokens - 1, filledMs: this.#nowMs() });
    if (this.#buckets.size > maxAddresses) this.#buckets.delete(this.#buckets.keys().next().value!);
    return tokens >= 1;
  }

  #tokensOf(counted: string): number {
    const bucket = this.#buckets.get(counted);
    if (!bucket) return this.#burst;
    return Math.min(this.#burst, bucket.tokens + (this.#nowMs() - bucket.filledMs) * this.#perMs);
  }
}
