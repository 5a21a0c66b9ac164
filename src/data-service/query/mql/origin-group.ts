import type { OriginCount } from '../../ports/reading-runs.ts';
import { isDocument, type QueryDocument, type QueryStage } from '../query-document.ts';
import { isOriginField, originDocument } from '../reading-document.ts';
import { stepOf } from './counting-stage.ts';
import { neededPaths } from './needed-paths.ts';
import { plainGroup } from './plain-group.ts';

/** What a stage returns, given the number of documents of each origin, in the order of their first documents. */
export type FromOrigins = (origins: Iterable<OriginCount>) => readonly QueryDocument[];

/** Recognizes a $group that counts documents by their origin; null for any other stage. */
export function originGroup(stage: QueryStage | undefined): FromOrigins | null {
  const spec = stage?.$group;
  if (!isDocument(spec) || !Object.hasOwn(spec, '_id')) return null;
  const { _id: id, ...fields } = spec;
  const steps = Object.entries(fields).map(([field, accumulator]) => [field, stepOf(accumulator)] as const);
  if (steps.some(([, step]) => step === null)) return null;
  const paths = neededPaths([{ $group: { _id: id } }]);
  if (paths === null || !paths.every(isOriginField)) return null;
  const start = () => plainGroup({ $group: { _id: id, count: { $sum: '$count' } } });
  if (start() === null) return null;
  return (origins) => {
    const group = start()!;
    for (const { origin, count } of origins) group.add({ ...originDocument(origin), count });
    return group.finish().map(({ _id, count }) => {
      const counts = steps.map(([field, step]) => [field, (count as number) * step!] as const);
      return { _id, ...Object.fromEntries(counts) };
    });
  };
}
