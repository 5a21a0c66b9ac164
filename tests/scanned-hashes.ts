import { dependentPictures } from '../src/evidence/datasets/independence/dependent-pictures.ts';
import type { OpenScans } from '../src/app/evaluate/run/image-hashes.ts';

/** Scans whose pictures have these hashes, of which some are known already; the others cannot be decoded. */
export const scansOf = (hashes: Readonly<Record<string, bigint>>, known: readonly string[] = []): OpenScans => {
  const scanOf = (id: string) => ({ id, hash: hashes[id] ?? null, statistics: null, sizePx: null, orientation: 1 as const }); // prettier-ignore
  return async () => ({
    knownScans: async () => new Map(known.map((id) => [id, scanOf(id)])),
    scan: async (pictures) => pictures.map(({ id }) => scanOf(id)),
    dependentPictures: async (...given) => dependentPictures(...given),
  });
};
