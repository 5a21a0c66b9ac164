import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Order, type BinaryMetadata } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../data-context.ts';
import { wireFilter, type DataFilter } from '../filters/data-filter.ts';
import type { PageSource } from '../grid/paged-rows.svelte.ts';

/** What a list keeps of a stored file: a hundred thousand of these are at hand at once. */
export interface StoredItem {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** when it was requested; null where it does not say */
  readonly timeMs: number | null;
  readonly tags: readonly string[];
  readonly datasetIds: readonly string[];
  readonly boxCount: number;
}

export type SortOrder = 'newest' | 'oldest';

const datasetTagPrefix = 'SVC_DATASET_';

/** Tags as people gave them: the service keeps membership of datasets among them. */
export const ownTags = (tags: readonly string[]): readonly string[] =>
  tags.filter((tag) => !tag.startsWith(datasetTagPrefix));

export function storedItem(metadata: BinaryMetadata): StoredItem {
  const { binaryDataId, captureMetadata, timeRequested, annotations } = metadata;
  return {
    id: binaryDataId,
    name: metadata.fileName.split('/').at(-1) || binaryDataId.split('/').at(-1)!,
    mimeType: captureMetadata?.mimeType ?? '',
    sizeBytes: Number(metadata.fileSizeBytes),
    timeMs: timeRequested ? timestampDate(timeRequested).getTime() : null,
    tags: ownTags(captureMetadata?.tags ?? []),
    datasetIds: metadata.datasetIds,
    boxCount: annotations?.bboxes.length ?? 0,
  };
}

/** The stored files that match a filter, as pages. `mimeTypes` are the tab's, where the filter names none. */
export function storedItems(
  { data, home }: Pick<DataContext, 'data' | 'home'>,
  filter: DataFilter,
  mimeTypes: readonly string[],
  order: SortOrder,
): PageSource<StoredItem> {
  const wire = wireFilter(filter, home.organizationId, mimeTypes);
  const page: PageSource<StoredItem>['page'] = async ({ last, limit, reverse }, signal) => {
    const sortOrder = (order === 'newest') === reverse ? Order.ASCENDING : Order.DESCENDING;
    const answer = await data.binaryDataByFilter(
      { dataRequest: { filter: wire, limit: BigInt(limit), last, sortOrder }, includeBinary: false },
      { signal },
    );
    return { rows: answer.data.flatMap(({ metadata }) => (metadata ? [storedItem(metadata)] : [])), last: answer.last };
  };
  return {
    async count(signal) {
      const answer = await data.binaryDataByFilter({ dataRequest: { filter: wire }, countOnly: true }, { signal });
      return { count: Number(answer.count), totalSizeBytes: Number(answer.totalSizeBytes) };
    },
    page,
    async glance(signal) {
      const ends = await Promise.all([false, true].map((reverse) => page({ last: '', limit: 1, reverse }, signal)));
      return JSON.stringify(ends.map(({ rows }) => rows));
    },
  };
}
