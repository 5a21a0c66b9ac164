import type { RunningHash } from '../ports/blob-store.ts';

/** What many rows come to: how many they are, and one number for all of them, in hex. */
export interface RowDigest {
  readonly rows: number;
  readonly digest: string;
}

interface Sum {
  rows: number;
  sum: bigint;
}

const bits = 256;

/**
 * Adds up the SHA-256 of rows, by organization. A sum is the same in whichever order they come, since stores have orders of their
 * own, and another one where a row is missing, more, or different.
 */
export class RowDigests {
  readonly #hash: () => RunningHash;
  readonly #encoder = new TextEncoder();
  readonly #sums = new Map<string, Sum>();

  constructor(hash: () => RunningHash) {
    this.#hash = hash;
  }

  add(organizationId: string, text: string): void {
    const hash = this.#hash();
    hash.update(this.#encoder.encode(text));
    const known = this.#sums.get(organizationId) ?? { rows: 0, sum: 0n };
    known.rows++;
    known.sum = BigInt.asUintN(bits, known.sum + BigInt(`0x${hash.end()}`));
    this.#sums.set(organizationId, known);
  }

  get organizationIds(): readonly string[] {
    return [...this.#sums.keys()];
  }

  of(organizationId: string): RowDigest {
    return digestOf(this.#sums.get(organizationId) ?? { rows: 0, sum: 0n });
  }

  total(): RowDigest {
    const total = { rows: 0, sum: 0n };
    for (const { rows, sum } of this.#sums.values()) {
      total.rows += rows;
      total.sum = BigInt.asUintN(bits, total.sum + sum);
    }
    return digestOf(total);
  }
}

const digestOf = ({ rows, sum }: Sum): RowDigest => ({ rows, digest: sum.toString(16).padStart(bits / 4, '0') });
