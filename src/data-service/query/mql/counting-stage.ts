import { isDocument, type QueryDocument, type QueryStage, type QueryValue } from '../query-document.ts';

/** What a stage returns, given the number of documents it gets. */
export type FromCount = (count: number) => readonly QueryDocument[];

/**
 * Recognizes a stage whose result depends only on the number of documents; null for any other. COUNT(*) without
 * keys in compiled SQL is a $group inside a $facet.
 */
export function countingStage(stage: QueryStage | undefined): FromCount | null {
  const [name, spec] = Object.entries(stage ?? {})[0] ?? [];
  if (name === '$count' && typeof spec === 'string') return (count) => (count === 0 ? [] : [{ [spec]: count }]);
  if (name === '$group' && isDocument(spec)) return countingGroup(spec);
  return name === '$facet' && isDocument(spec) ? countingFacet(spec) : null;
}

function countingGroup({ _id: id, ...fields }: QueryDocument): FromCount | null {
  const steps = Object.entries(fields).map(([field, accumulator]) => [field, stepOf(accumulator)] as const);
  if (id !== null || steps.some(([, step]) => step === null)) return null;
  return (count) => {
    const counts = steps.map(([field, step]) => [field, count * step!] as const);
    return count === 0 ? [] : [{ _id: null, ...Object.fromEntries(counts) }];
  };
}

/** What an accumulator adds for each document, if that does not depend on the document; otherwise null. */
export function stepOf(accumulator: QueryValue): number | null {
  if (!isDocument(accumulator) || Object.keys(accumulator).length !== 1) return null;
  if ('$count' in accumulator) return 1;
  return Number.isFinite(accumulator.$sum) ? (accumulator.$sum as number) : null;
}

function countingFacet(spec: QueryDocument): FromCount | null {
  const facets = Object.entries(spec).map(([name, stages]) => {
    const [stage, ...others] = stages as readonly QueryStage[];
    return [name, others.length > 0 ? null : countingStage(stage)] as const;
  });
  if (facets.some(([, fromCount]) => fromCount === null)) return null;
  return (count) => [Object.fromEntries(facets.map(([name, fromCount]) => [name, fromCount!(count)]))];
}
