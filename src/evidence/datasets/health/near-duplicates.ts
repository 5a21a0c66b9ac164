import { DisjointSets } from '../item/group-pictures.ts';

export interface HashedPicture {
  readonly contentId: string;
  /** 64 bits */
  readonly hash: bigint;
}

/** With a larger distance, bands are so short that nearly every pair is a candidate, and different pictures match. */
const largestDistance = 12;

/**
 * Groups near duplicates: pictures whose hashes differ in at most `maxDistance` bits, directly or through other pictures
 * in between. Pictures without a near duplicate are in no group.
 *
 * @param maxDistance 0..12; 4 finds recompressed and scaled copies, 10 finds frames of one scene
 */
export function groupNearDuplicates(pictures: readonly HashedPicture[], maxDistance: number): string[][] {
  const alike = new Map<bigint, string[]>();
  for (const { contentId, hash } of pictures) {
    const namesakes = alike.get(hash);
    if (namesakes) namesakes.push(contentId);
    else alike.set(hash, [contentId]);
  }
  const hashes = [...alike.keys()];
  const sets = new DisjointSets<number>();
  for (let i = 0; i < hashes.length; i++) sets.join(i, i);
  const words = splitWords(hashes);
  for (const [a, b] of candidatePairs(hashes, maxDistance)) {
    if (distanceBetween(words, a, b) <= maxDistance) sets.join(a, b);
  }
  return sets
    .groups()
    .map((group) => group.flatMap((i) => alike.get(hashes[i]!)!))
    .filter((group) => group.length > 1);
}

/**
 * Yields the pairs of different hashes that may be within the distance. The 64 bits are divided into `maxDistance + 1`
 * bands: by the pigeonhole principle at least one band is equal in both hashes (Norouzi et al., "Fast Search in Hamming
 * Space with Multi-Index Hashing", 2012). A pair can be yielded twice.
 *
 * @throws RangeError if the distance is not an integer of 0..12
 */
export function* candidatePairs(hashes: readonly bigint[], maxDistance: number): Generator<readonly [number, number]> {
  if (!Number.isInteger(maxDistance) || maxDistance < 0 || maxDistance > largestDistance) {
    throw new RangeError(`A distance of ${maxDistance} bits cannot be searched: give 0 to ${largestDistance}.`);
  }
  const bandCount = maxDistance + 1;
  for (let band = 0; band < bandCount; band++) {
    const start = Math.floor((64 * band) / bandCount);
    const width = Math.floor((64 * (band + 1)) / bandCount) - start;
    const buckets = new Map<bigint, number[]>();
    for (const [i, hash] of hashes.entries()) {
      const key = BigInt.asUintN(width, hash >> BigInt(start));
      const bucket = buckets.get(key);
      if (!bucket) buckets.set(key, [i]);
      else {
        for (const other of bucket) yield [other, i];
        bucket.push(i);
      }
    }
  }
}

/** Splits each hash into two 32-bit words, because counting bits of BigInts is fifty times slower. */
function splitWords(hashes: readonly bigint[]): Uint32Array {
  const words = new Uint32Array(2 * hashes.length);
  for (const [i, hash] of hashes.entries()) {
    words[2 * i] = Number(BigInt.asUintN(32, hash));
    words[2 * i + 1] = Number(BigInt.asUintN(32, hash >> 32n));
  }
  return words;
}

function distanceBetween(words: Uint32Array, a: number, b: number): number {
  return bitCount(words[2 * a]! ^ words[2 * b]!) + bitCount(words[2 * a + 1]! ^ words[2 * b + 1]!);
}

/** The number of set bits of a 32-bit word (Warren, "Hacker's Delight", 5-1). */
function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
