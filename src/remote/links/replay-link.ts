import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { createClient, type Transport } from '@connectrpc/connect';
import { ReplayService, ResultKind as WireKind } from '../../gen/sightglass/replay/v1/replay_pb.ts';
import { toTimestamp } from '../outbox/to-timestamp.ts';
import { ColumnChunkReader } from '../../evidence/replay/column-chunk.ts';
import type { ResultColumns } from '../../evidence/replay/result-columns.ts';

/** Boxes, or what was said of whole frames. */
export type ResultKind = 'detections' | 'classifications';

/** A vision service of which captures are stored. */
export interface Recording {
  readonly partId: string;
  readonly partName: string;
  readonly robotName: string;
  readonly locationId: string;
  readonly serviceName: string;
  readonly frameCount: number;
  /** capture times of the first and the last frame, in milliseconds since 1970 */
  readonly firstMs: number;
  readonly lastMs: number;
  /** seen on the newest frames; empty: nothing was */
  readonly kinds: readonly ResultKind[];
}

/** Which results are read. */
export interface ResultsRequest {
  readonly organizationId: string;
  readonly partId: string;
  readonly serviceName: string;
  readonly kind: ResultKind;
  /** Capture times in milliseconds since 1970; the end is not included. */
  readonly startMs: number;
  readonly endMs: number;
}

/** The next frames of an answer. */
export interface ResultsPiece {
  /** in arrays of their own, which may be transferred; the names are those of all pieces so far */
  readonly columns: ResultColumns;
  /** how much of the time asked for has been read, 0..1 */
  readonly progress: number;
}

/** The vision services of which an organization stores captures. @throws ConnectError Unimplemented of data services that are not Sightglass's */
export async function listRecordings(
  transport: Transport,
  organizationId: string,
  signal: AbortSignal,
): Promise<readonly Recording[]> {
  const { recordings } = await createClient(ReplayService, transport).listRecordings({ organizationId }, { signal });
  return recordings.map(({ partId, partName, robotName, locationId, serviceName, frameCount, first, last, kinds }) => ({
    partId,
    partName,
    robotName,
    locationId,
    serviceName,
    frameCount: Number(frameCount),
    firstMs: toMs(first!),
    lastMs: toMs(last!),
    kinds: kinds.map((kind) => (kind === WireKind.CLASSIFICATIONS ? 'classifications' : 'detections')),
  }));
}

/**
 * Reads what a vision service said, the oldest frames first, as fast as pieces are taken. To end the iteration cancels the call,
 * and so does the signal.
 */
export async function* readResults(
  transport: Transport,
  { startMs, endMs, kind, ...of }: ResultsRequest,
  signal: AbortSignal,
): AsyncGenerator<ResultsPiece, void> {
  const reader = new ColumnChunkReader();
  const kinds = { detections: WireKind.DETECTIONS, classifications: WireKind.CLASSIFICATIONS };
  const request = { ...of, kind: kinds[kind], start: timestampOf(startMs), end: timestampOf(endMs) };
  for await (const chunk of createClient(ReplayService, transport).streamResults(request, { signal })) {
    const columns = reader.read(chunk);
    const lastMs = columns.timesMs.at(-1) ?? startMs;
    yield { columns, progress: Math.min(1, Math.max(0, (lastMs - startMs) / (endMs - startMs))) };
  }
}

// capture times are stored to the microsecond
const timestampOf = (ms: number): Timestamp => toTimestamp(Math.round(ms * 1000));
const toMs = ({ seconds, nanos }: Timestamp): number => (Number(seconds) * 1_000_000 + Math.trunc(nanos / 1000)) / 1000;
