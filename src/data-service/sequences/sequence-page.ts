import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SequenceSchema } from '../../gen/app/data/v1/data_pb.ts';
import type { DataStore } from '../ports/data-store.ts';
import { sequencePosition, type Sequence, type SequenceFilter } from '../ports/sequence-store.ts';
import { pageLimit } from '../wire/page-limit.ts';
import { readPage } from '../wire/page-token.ts';
import { toTimestamp } from '../wire/timestamps.ts';

/** A page of sequences, newest first. @throws ConnectError InvalidArgument for a token that no page ended with */
export async function sequencePage(
  { sequences }: Pick<DataStore, 'sequences'>,
  filter: SequenceFilter,
  { pageSize, pageToken }: { readonly pageSize: number; readonly pageToken: string },
) {
  const { entries, nextPageToken } = await readPage(
    pageToken,
    pageLimit(BigInt(pageSize), false),
    (after, limit) => sequences.list(filter, after, limit),
    sequencePosition,
  );
  return { sequences: entries.map(toWire), nextPageToken };
}

/** A sequence as clients see it. */
export const toWire = (sequence: Sequence): MessageInitShape<typeof SequenceSchema> => ({
  id: sequence.id,
  partId: sequence.partId,
  sequenceTags: [...sequence.tags],
  createdAt: toTimestamp(sequence.timeCreated),
  updatedAt: toTimestamp(sequence.timeUpdated),
  startTime: toTimestamp(sequence.start),
  endTime: toTimestamp(sequence.end),
  resources: sequence.resources.map(({ resourceName, methodName }) => ({ resourceName, methodName })),
  datasetIds: [...sequence.datasetIds],
});
