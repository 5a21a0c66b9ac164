import type { CaptureMetadata } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { imageTypes } from '../../shared/stored/tab-media-types.ts';
import { resourceText, wholeMs, type Resource } from './listed-sequence.ts';

/** What one resource of a part has captured lately. */
export interface FoundResource extends Resource {
  readonly partId: string;
  readonly partName: string;
  /** when, since 1970, rounded down, ascending */
  readonly timesMs: readonly number[];
}

const looked = 1000n;
/** Captures that are further apart belong to different runs. */
const runGapMs = 60_000;

/** The resources whose captures are among the newest images and readings, those with the newest first. */
export async function findResources(
  { data, home }: Pick<DataContext, 'data' | 'home'>,
  signal: AbortSignal,
): Promise<readonly FoundResource[]> {
  const filter = { organizationIds: [home.organizationId] };
  const [images, readings] = await Promise.all([
    data.binaryDataByFilter(
      { dataRequest: { filter: { ...filter, mimeType: [...imageTypes] }, limit: looked } },
      { signal },
    ),
    data.tabularDataByFilter({ dataRequest: { filter, limit: looked } }, { signal }),
  ]);
  const captures = [
    ...images.data.map(({ metadata }) => ({ of: metadata?.captureMetadata, time: metadata?.timeRequested })),
    ...readings.data.map(({ metadataIndex, timeRequested }) => ({
      of: readings.metadata[metadataIndex],
      time: timeRequested,
    })),
  ];
  const found = new Map<string, FoundResource & { timesMs: number[] }>();
  for (const { of, time } of captures) {
    if (!of || !time || of.componentName === '' || of.methodName === '') continue;
    const key = JSON.stringify([of.partId, of.componentName, of.methodName]);
    const known = found.get(key) ?? { ...foundResource(of), timesMs: [] };
    known.timesMs.push(wholeMs(time));
    found.set(key, known);
  }
  return [...found.values()]
    .map((one) => ({ ...one, timesMs: one.timesMs.toSorted((a, b) => a - b) }))
    .sort((a, b) => b.timesMs.at(-1)! - a.timesMs.at(-1)! || (resourceText(a) < resourceText(b) ? -1 : 1));
}

const foundResource = ({ partId, partName, componentName, methodName }: CaptureMetadata) => ({
  partId,
  partName: partName || partId,
  resourceName: componentName,
  methodName,
});

/** The span of the newest run of captures without a long gap; null: there are none. */
export function newestRun(
  resources: readonly FoundResource[],
): { readonly startMs: number; readonly endMs: number } | null {
  const times = resources.flatMap(({ timesMs }) => timesMs).sort((a, b) => b - a);
  const endMs = times[0];
  if (endMs === undefined) return null;
  let startMs = endMs;
  for (const timeMs of times) {
    if (startMs - timeMs > runGapMs) break;
    startMs = timeMs;
  }
  return { startMs, endMs };
}
