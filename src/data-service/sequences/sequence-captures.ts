import type { BinaryStore } from '../ports/binary-store.ts';
import { everythingOf, type CaptureFilter, type Position } from '../ports/capture-filter.ts';
import { byText } from '../ports/name-order.ts';
import type { Sequence } from '../ports/sequence-store.ts';
import type { BinaryRecord, TabularRow } from '../ports/stored-captures.ts';
import type { TabularStore } from '../ports/tabular-store.ts';

/** The images that clients of sequences read. */
const imageTypes = ['image/jpeg', 'image/png'];

/** What the captures of each resource of a sequence match. Its last moment belongs to it, unlike the end of an interval. */
const captureFilters = ({ organizationId, partId, resources, start, end }: Sequence): CaptureFilter[] =>
  resources.map(({ resourceName, methodName }) => ({
    ...everythingOf(organizationId),
    partId,
    componentName: resourceName,
    methodName,
    interval: { start, end: end + 1 },
    includeInternal: false,
  }));

/** Up to `limit` images of a sequence beyond `after`, of all its resources, in the order of their times. */
export const imagePage = (
  binary: BinaryStore,
  sequence: Sequence,
  after: Position | null,
  limit: number,
): Promise<readonly BinaryRecord[]> =>
  pageOfAll(sequence, limit, (capture) => {
    const filter = { ...capture, mimeTypes: imageTypes, boxLabels: [], datasetId: '' };
    return binary.page({ filter, order: 'ascending', after, limit });
  });

/** The same of its readings. */
export const readingPage = (
  tabular: TabularStore,
  sequence: Sequence,
  after: Position | null,
  limit: number,
): Promise<readonly TabularRow[]> =>
  pageOfAll(sequence, limit, (capture) =>
    tabular.page({ filter: { ...capture, additionalParameters: null }, order: 'ascending', after, limit }),
  );

/** A page of each resource, merged: what is not among the first `limit` of its resource is not among the first of all. */
async function pageOfAll<Capture extends BinaryRecord | TabularRow>(
  sequence: Sequence,
  limit: number,
  pageOf: (filter: CaptureFilter) => Promise<readonly Capture[]>,
): Promise<readonly Capture[]> {
  const pages = await Promise.all(captureFilters(sequence).map(pageOf));
  return pages
    .flat()
    .sort((a, b) => a.timeRequested - b.timeRequested || byText(a.id, b.id))
    .slice(0, limit);
}
