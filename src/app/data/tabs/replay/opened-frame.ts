import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { create } from '@bufbuild/protobuf';
import type { Annotations } from '../../../../gen/app/data/v1/data_pb.ts';
import { keepResults } from '../../../../evidence/replay/keep-results.ts';
import type { ReplayOrder } from '../../../../evidence/replay/replay.ts';
import type { DataContext } from '../../context/data-context.ts';
import type { RecordingKind, ReplayChoice } from './replay-query.ts';

/** A stored result of an opened frame, and which configurations keep it. */
export interface OpenedResult {
  readonly id: string;
  readonly label: string;
  readonly score: number;
  readonly byFirst: boolean;
  /** null: nothing is compared */
  readonly bySecond: boolean | null;
}

/** The results of a frame in the order in which they are stored. What a person drew has no confidence, and is none. */
export function openedResults(
  annotations: Annotations | undefined,
  kind: RecordingKind,
  { rule, other }: Pick<ReplayOrder, 'rule' | 'other'>,
): readonly OpenedResult[] {
  const stored = (kind === 'detections' ? annotations?.bboxes : annotations?.classifications) ?? [];
  const results = stored.flatMap(({ id, label, confidence }) =>
    confidence === undefined ? [] : [{ id, label, score: confidence }],
  );
  const columns = {
    timesMs: Float64Array.of(0),
    starts: Uint32Array.of(0, results.length),
    labels: Uint32Array.from(results, (_, at) => at),
    scores: Float64Array.from(results, ({ score }) => score),
    names: results.map(({ label }) => label),
  };
  const kept = new Set(keepResults(columns, rule));
  const keptByOther = other && new Set(keepResults(columns, other));
  return results.map((result, at) => ({
    ...result,
    byFirst: kept.has(at),
    bySecond: keptByOther && keptByOther.has(at),
  }));
}

/** Finds the stored picture of a frame by its capture time; null: it was deleted since. */
export async function findFrame(
  { data, home }: Pick<DataContext, 'data' | 'home'>,
  { partId, serviceName }: Pick<ReplayChoice, 'partId' | 'serviceName'>,
  timeMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  // Times are kept to the microsecond, and the interval ends before its end.
  const timeUs = Math.round(timeMs * 1000);
  const filter = {
    organizationIds: [home.organizationId],
    partId,
    componentName: serviceName,
    interval: { start: timestampOf(timeUs), end: timestampOf(timeUs + 1) },
  };
  const asked = { dataRequest: { filter, limit: 1n }, includeBinary: false };
  const { data: found } = await data.binaryDataByFilter(asked, { signal });
  return found[0]?.metadata?.binaryDataId ?? null;
}

const timestampOf = (timeUs: number) =>
  create(TimestampSchema, { seconds: BigInt(Math.floor(timeUs / 1e6)), nanos: (timeUs % 1e6) * 1000 });
