import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { Sequence } from '../../../../gen/app/data/v1/data_pb.ts';
import { durationText, localExactText } from '../../../kit/words/figures.ts';

/** A sequence as the page lists it; times are since 1970. */
export interface ListedSequence {
  readonly id: string;
  readonly partId: string;
  readonly resources: readonly Resource[];
  readonly tags: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
  readonly datasetIds: readonly string[];
}

export interface Resource {
  readonly resourceName: string;
  readonly methodName: string;
}

/** Rounded down, unlike `timestampMs`: the last microsecond of a millisecond is of that millisecond. */
export const wholeMs = ({ seconds, nanos }: Timestamp): number => Number(seconds) * 1000 + Math.floor(nanos / 1e6);

export const listedSequence = (sequence: Sequence): ListedSequence => ({
  id: sequence.id,
  partId: sequence.partId,
  resources: sequence.resources.map(({ resourceName, methodName }) => ({ resourceName, methodName })),
  tags: sequence.sequenceTags,
  startMs: wholeMs(sequence.startTime!),
  endMs: wholeMs(sequence.endTime!),
  datasetIds: sequence.datasetIds,
});

/** "front · GetImages": unique among the resources of a sequence. */
export const resourceText = ({ resourceName, methodName }: Resource): string => `${resourceName} · ${methodName}`;

/** What names a sequence, which has no name of its own: when it begins, and how long it lasts. */
export const sequenceName = ({ startMs, endMs }: ListedSequence): string =>
  `${localExactText(startMs).slice(0, 19)}, ${durationText(endMs - startMs)}`;
