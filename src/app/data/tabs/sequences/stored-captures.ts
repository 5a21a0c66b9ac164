import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Order, type CaptureMetadata } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { imageTypes } from '../../shared/stored/tab-media-types.ts';
import { wholeMs } from './listed-sequence.ts';

/** What a sequence holds. */
export const captureKinds = ['images', 'readings'] as const;
export type CaptureKind = (typeof captureKinds)[number];
export type CaptureCounts = Readonly<Record<CaptureKind, number>>;

/** Which captures are meant; what is absent matches all. */
export interface CaptureFilter {
  organizationIds: string[];
  partId?: string;
  componentName?: string;
  method?: string;
  /** excludes its end */
  interval?: { readonly start: Timestamp; readonly end: Timestamp };
}

interface CapturePage {
  /** by time, the newest first unless `sortOrder` says otherwise */
  readonly captures: readonly { readonly of: CaptureMetadata; readonly timeMs: number }[];
  /** with which the next page is asked for */
  readonly last: string;
}

interface PageRequest {
  readonly filter: CaptureFilter;
  readonly limit: number;
  readonly last?: string;
  readonly sortOrder?: Order;
}

type Data = DataContext['data'];

const imagesOf = (filter: CaptureFilter) => ({ ...filter, mimeType: [...imageTypes] });

/** A page of images or readings. @throws ConnectError */
export async function capturePage(
  data: Data,
  kind: CaptureKind,
  { filter, limit, last = '', sortOrder = Order.DESCENDING }: PageRequest,
  signal: AbortSignal,
): Promise<CapturePage> {
  const request = { limit: BigInt(limit), last, sortOrder };
  if (kind === 'images') {
    const page = await data.binaryDataByFilter({ dataRequest: { ...request, filter: imagesOf(filter) } }, { signal });
    const captures = page.data.map(({ metadata }) => ({
      of: metadata!.captureMetadata!,
      timeMs: wholeMs(metadata!.timeRequested!),
    }));
    return { captures, last: page.last };
  }
  const page = await data.tabularDataByFilter({ dataRequest: { ...request, filter } }, { signal });
  const captures = page.data.map(({ metadataIndex, timeRequested }) => ({
    of: page.metadata[metadataIndex]!,
    timeMs: wholeMs(timeRequested!),
  }));
  return { captures, last: page.last };
}

/** How many images or readings match. @throws ConnectError */
export async function captureCount(
  data: Data,
  kind: CaptureKind,
  filter: CaptureFilter,
  signal: AbortSignal,
): Promise<number> {
  const { count } =
    kind === 'images'
      ? await data.binaryDataByFilter({ dataRequest: { filter: imagesOf(filter) }, countOnly: true }, { signal })
      : await data.tabularDataByFilter({ dataRequest: { filter }, countOnly: true }, { signal });
  return Number(count);
}
