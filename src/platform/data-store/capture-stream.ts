import type {
  BinaryFilter,
  BinaryRecord,
  CaptureFilter,
  CaptureOrigin,
  TabularRow,
} from '../../data-service/face/captures.ts';

const originFields = [
  'organizationId',
  'locationId',
  'robotId',
  'robotName',
  'partId',
  'partName',
  'componentType',
  'componentName',
  'methodName',
  'internal',
] as const;

/** What a part sends under one name is one stream: few streams, many captures, each kept without repeating these. */
export interface CaptureStream extends Pick<CaptureOrigin, (typeof originFields)[number]> {
  /** '' for readings */
  readonly mimeType: string;
  readonly isTagged: boolean;
}

/** A capture without what its stream says. */
export type StreamEntry<Capture extends CaptureOrigin> = Omit<Capture, keyof CaptureStream>;

/**
 * Takes a capture apart into its stream and the rest. Streams are told apart by every single-valued field that a filter
 * may name, so that a filter is a set of streams, and a page is a merge of as many ranges of one index.
 */
export function splitCapture<Capture extends BinaryRecord | TabularRow>(
  capture: Capture,
): { readonly stream: CaptureStream; readonly entry: StreamEntry<Capture> } {
  const { organizationId, locationId, robotId, robotName, partId, partName, ...named } = capture;
  const { componentType, componentName, methodName, internal, ...rest } = named;
  const { mimeType = '', ...entry } = rest as { mimeType?: string };
  const stream = {
    organizationId,
    locationId,
    robotId,
    robotName,
    partId,
    partName,
    componentType,
    componentName,
    methodName,
    internal,
    mimeType,
    isTagged: capture.tags.length > 0,
  };
  return { stream, entry: entry as StreamEntry<Capture> };
}

export function joinBinary(stream: CaptureStream, entry: StreamEntry<BinaryRecord>): BinaryRecord {
  return { ...originOf(stream), mimeType: stream.mimeType, ...entry };
}

export function joinTabular(stream: CaptureStream, entry: StreamEntry<TabularRow>): TabularRow {
  return { ...originOf(stream), ...entry };
}

const originOf = ({ mimeType: _mimeType, isTagged: _isTagged, ...origin }: CaptureStream) => origin;

/** Whether two captures of one collection are of the same stream. */
export const areOfOneStream = (a: BinaryRecord | TabularRow, b: BinaryRecord | TabularRow): boolean =>
  originFields.every((field) => a[field] === b[field]) &&
  (a as Partial<BinaryRecord>).mimeType === (b as Partial<BinaryRecord>).mimeType &&
  a.tags.length > 0 === b.tags.length > 0;

/** Equal for equal streams only, and what `parseStreamKey` reads. */
export function streamKey(stream: CaptureStream): string {
  return JSON.stringify([...originFields.map((field) => stream[field]), stream.mimeType, stream.isTagged]);
}

export function parseStreamKey(key: string): CaptureStream {
  const values = JSON.parse(key) as readonly (string | boolean)[];
  const fields = [...originFields, 'mimeType', 'isTagged'];
  return Object.fromEntries(fields.map((field, index) => [field, values[index]])) as unknown as CaptureStream;
}

/** Whether captures of the stream can match: the filter's rule on all fields that the stream settles. */
export function streamMatches(filter: CaptureFilter & Partial<BinaryFilter>, stream: CaptureStream): boolean {
  const equal = (field: 'robotId' | 'robotName' | 'partId' | 'partName' | CaptureName): boolean =>
    filter[field] === '' || filter[field] === stream[field];
  return (
    filter.organizationId === stream.organizationId &&
    (filter.includeInternal || !stream.internal) &&
    oneOf(filter.locationIds, stream.locationId) &&
    oneOf(filter.mimeTypes ?? [], stream.mimeType) &&
    (filter.tagged === 'either' || (filter.tagged === 'tagged') === stream.isTagged) &&
    (['robotId', 'robotName', 'partId', 'partName', 'componentType', 'componentName', 'methodName'] as const).every(
      equal,
    )
  );
}

type CaptureName = 'componentType' | 'componentName' | 'methodName';

const oneOf = (wanted: readonly string[], value: string): boolean => wanted.length === 0 || wanted.includes(value);
