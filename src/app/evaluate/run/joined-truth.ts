import type { TruthSource } from '../ports/truth-source.ts';

/** Several sources of truth as one: a set belongs to the source that listed it. */
export function joinedTruth(sources: readonly TruthSource[]): TruthSource {
  const ownerOf = new Map<string, TruthSource>();
  const owner = (setId: string): TruthSource => ownerOf.get(setId) ?? sources[0]!;
  return {
    async sets(signal) {
      const lists = await Promise.all(sources.map((source) => source.sets(signal)));
      ownerOf.clear();
      for (const [at, list] of lists.entries()) for (const { id } of list) ownerOf.set(id, sources[at]!);
      return lists.flat();
    },
    images: (setId, signal) => owner(setId).images(setId, signal),
    bytes: (setId, ids, signal) => owner(setId).bytes(setId, ids, signal),
    pairs: (setId, signal) => owner(setId).pairs(setId, signal),
    keepPairs: (setId, pairs) => owner(setId).keepPairs(setId, pairs),
    editorHref: (setId, imageId, order) => owner(setId).editorHref(setId, imageId, order),
  };
}
