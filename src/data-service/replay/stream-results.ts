import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ResultKind,
  type StreamResultsRequest,
  type StreamResultsResponseSchema,
} from '../../gen/sightglass/replay/v1/replay_pb.ts';
import { ColumnChunkWriter } from '../../evidence/replay/column-chunk.ts';
import type { ResultColumns } from '../../evidence/replay/result-columns.ts';
import type { Principal } from '../ports/principal.ts';
import { withinReach } from '../access/require-access.ts';
import { hiddenFiles } from '../labels/hidden-boxes.ts';
import { mayReview } from '../labels/may-review.ts';
import { matchesBinary } from '../ports/capture-filter.ts';
import type { DataStore } from '../ports/data-store.ts';
import { recordedFrames, type ResultFilter } from '../ports/result-store.ts';
import { requireText } from '../wire/invalid-argument.ts';
import { fromInterval } from '../wire/timestamps.ts';
import { withoutResults } from './without-results.ts';

/** The most in one message, so that none is too large to be received: a frame with more results is sent alone. */
const mostFrames = 16_384;
const mostResults = 131_072;

type Stores = Pick<DataStore, 'results' | 'binary' | 'labels'>;

/** The results of one vision service, the oldest frames first. */
export async function* streamResults(
  store: Stores,
  request: StreamResultsRequest,
  principal: Principal,
  signal: AbortSignal,
): AsyncGenerator<MessageInitShape<typeof StreamResultsResponseSchema>, void> {
  const filter = {
    organizationId: principal.organizationId,
    ...withinReach(principal, { locationIds: [], partId: requireText(request.partId, 'part_id') }),
    serviceName: requireText(request.serviceName, 'service_name'),
    interval: fromInterval(request),
  };
  const kind = request.kind === ResultKind.CLASSIFICATIONS ? 'classifications' : 'detections';
  const writer = new ColumnChunkWriter();
  const seesAll = mayReview(principal);
  const hiddenMs = await hiddenTimes(store, filter, principal);
  const pieces = store.results.scan(filter, kind, signal)[Symbol.asyncIterator]();
  // whoever is gone asks for no more pieces, and what the scan holds of the store is to be let go all the same
  signal.addEventListener('abort', () => void pieces.return?.());
  for await (const columns of { [Symbol.asyncIterator]: () => pieces }) {
    for (const part of partsOf(seesAll ? columns : withoutResults(columns, hiddenMs))) {
      signal.throwIfAborted();
      const { newNames, ...bytes } = writer.write(part);
      yield { ...bytes, newNames: [...newNames] };
    }
  }
}

/** When the frames were captured whose results the caller does not see, in milliseconds since 1970. */
async function hiddenTimes(stores: Stores, filter: ResultFilter, principal: Principal): Promise<ReadonlySet<number>> {
  const frames = recordedFrames(filter);
  const times = new Set<number>();
  for await (const files of hiddenFiles(stores, principal)) {
    for (const file of files) if (matchesBinary(frames, file)) times.add(file.timeRequested / 1000);
  }
  return times;
}

function* partsOf({ timesMs, starts, labels, scores, names }: ResultColumns): Generator<ResultColumns> {
  for (let from = 0; from < timesMs.length;) {
    const first = starts[from]!;
    let to = from + 1;
    while (to < timesMs.length && to - from < mostFrames && starts[to + 1]! - first <= mostResults) to++;
    const last = starts[to]!;
    yield {
      timesMs: timesMs.subarray(from, to),
      starts: starts.subarray(from, to + 1),
      labels: labels.subarray(first, last),
      scores: scores.subarray(first, last),
      names,
    };
    from = to;
  }
}
