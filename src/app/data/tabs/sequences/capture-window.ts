import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Order } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { filterOf, type FoundResource } from './find-resources.ts';
import type { SequenceForm } from './sequence-form.ts';
import { captureCount, captureKinds, capturePage, type CaptureCounts, type CaptureKind } from './stored-captures.ts';

type Ports = Pick<DataContext, 'data' | 'home'>;

/** Times since 1970, both included. */
export interface CaptureWindow {
  readonly startMs: number;
  readonly endMs: number;
}

/** Captures that are further apart belong to different runs. */
const runGapMs = 60_000;
/** A longer run begins so long before its end: a machine may capture for months without a break. */
const longestRunMs = 3_600_000;

/**
 * The span of the newest captures of some resources without a gap of more than a minute, of about an hour at most.
 *
 * @returns null: they have no captures
 * @throws ConnectError
 */
export async function newestRun(
  { data, home }: Ports,
  resources: readonly FoundResource[],
  signal: AbortSignal,
): Promise<CaptureWindow | null> {
  const endMs = Math.max(...resources.map(({ newestMs }) => newestMs));
  if (resources.length === 0) return null;
  let startMs = endMs;
  while (endMs - startMs < longestRunMs) {
    const earliest = await earliestIn({ startMs: startMs - runGapMs, endMs: startMs - 1 });
    if (earliest === null) break;
    startMs = earliest;
  }
  return { startMs, endMs };

  async function earliestIn(window: CaptureWindow): Promise<number | null> {
    const pages = await Promise.all(
      resources.flatMap((resource) =>
        captureKinds
          .filter((kind) => resource.counts[kind] > 0)
          .map((kind) => {
            const filter = { ...filterOf(home, resource), interval: intervalOf(window) };
            return capturePage(data, kind, { filter, limit: 1, sortOrder: Order.ASCENDING }, signal);
          }),
      ),
    );
    const times = pages.flatMap(({ captures }) => captures.map(({ timeMs }) => timeMs));
    return times.length > 0 ? Math.min(...times) : null;
  }
}

/** How many captures a sequence of this form would have now. @throws ConnectError */
export async function countsIn(
  { data, home }: Ports,
  { partId, resources, start, end }: SequenceForm,
  signal: AbortSignal,
): Promise<CaptureCounts> {
  const interval = intervalOf({ startMs: start.ms, endMs: end.ms });
  const countOf = async (kind: CaptureKind): Promise<number> => {
    const counts = await Promise.all(
      resources.map((one) => captureCount(data, kind, { ...filterOf(home, { ...one, partId }), interval }, signal)),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const [images, readings] = await Promise.all([countOf('images'), countOf('readings')]);
  return { images, readings };
}

/** An interval excludes its end, while a window has the whole of its last millisecond. */
const intervalOf = ({ startMs, endMs }: CaptureWindow) => ({
  start: timestampFromMs(startMs),
  end: timestampFromMs(endMs + 1),
});
