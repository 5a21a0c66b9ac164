import { dependentPictures } from '../src/evidence/datasets/independence/dependent-pictures.ts';
import type { OpenScans } from '../src/app/evaluate/run/image-hashes.ts';

/** Scans whose pictures have these hashes; the others cannot be decoded. */
export const scansOf = (hashes: Readonly<Record<string, bigint>>): OpenScans => {
  const scanOf = (id: string) => ({ id, hash: hashes[id] ?? null, statistics: null, sizePx: null, orientation: 1 as const }); // prettier-ignore
  return async () => ({
    knownScans: async () => new Map(),
    scan: async (pictures) => pictures.map(({ id }) => scanOf(id)),
    dependentPictures: async (...given) => dependentPictures(...given),
  });
};
