import type { BinaryStore } from '../ports/binary-store.ts';
import { everythingOf, type CaptureFilter, type Position } from '../ports/capture-filter.ts';
import type { DataStore } from '../ports/data-store.ts';
import type { Sequence } from '../ports/sequence-store.ts';
import type { BinaryRecord, TabularRow } from '../ports/stored-captures.ts';
import { binaryPages } from '../pages/binary-pages.ts';
import { mergedOf, readingPages } from '../pages/captures-in-order.ts';

type Files = Pick<BinaryStore, 'page'>;

/** The images that clients of sequences read. */
const imageTypes = ['image/jpeg', 'image/png'];

/** A filter for each resource of a sequence. A sequence includes its last moment, while an interval excludes its end. */
const captureFilters = ({ organizationId, partId, resources, start, end }: Sequence): CaptureFilter[] =>
  resources.map(({ resourceName, methodName }) => ({
    ...everythingOf(organizationId),
    partId,
    componentName: resourceName,
    methodName,
    interval: { start, end: end + 1 },
    includeInternal: false,
  }));

/** The most that is in memory at a time: records of images, bytes of readings. All resources share it. */
const [heldRecords, heldBytes] = [500, 8 * 2 ** 20];

/** The images of all resources of a sequence, in the order of their times. */
export const imagesOf = (binary: Files, sequence: Sequence, signal: AbortSignal): AsyncIterable<BinaryRecord> =>
  imagesBeyond(binary, sequence, { start: null, records: heldRecords }, signal);

/** Up to `limit` images of a sequence beyond `start`. */
export async function imagePage(
  binary: Files,
  sequence: Sequence,
  start: Position | null,
  limit: number,
  signal: AbortSignal,
): Promise<readonly BinaryRecord[]> {
  const page: BinaryRecord[] = [];
  const records = Math.min(limit, heldRecords);
  for await (const image of imagesBeyond(binary, sequence, { start, records }, signal)) {
    page.push(image);
    if (page.length === limit) break;
  }
  return page;
}

function imagesBeyond(
  binary: Files,
  sequence: Sequence,
  { start, records }: { readonly start: Position | null; readonly records: number },
  signal: AbortSignal,
): AsyncIterable<BinaryRecord> {
  const filters = captureFilters(sequence);
  const limit = Math.ceil(records / filters.length);
  return mergedOf(
    filters.map((capture) => {
      const filter = { ...capture, mimeTypes: imageTypes, boxLabels: [], datasetId: '' };
      return binaryPages(binary, filter, signal, { start, limit });
    }),
  );
}

/** The readings of all resources of a sequence, in the order of their times. */
export function readingsOf(stores: Pick<DataStore, 'tabular'>, sequence: Sequence): AsyncIterable<TabularRow> {
  const filters = captureFilters(sequence);
  const bytes = heldBytes / filters.length;
  return mergedOf(filters.map((capture) => readingPages(stores, { ...capture, additionalParameters: null }, bytes)));
}
