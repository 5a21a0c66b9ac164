import type { BinaryRecord, CaptureOrigin, Interval, Micros, TabularRow } from './stored-captures.ts';

/**
 * Selects captures. All fields must match; a list matches if any of its items does; an empty list, an empty string
 * and null match everything. The organization is always set, by access control.
 */
export interface CaptureFilter {
  readonly organizationId: string;
  readonly locationIds: readonly string[];
  readonly robotId: string;
  readonly robotName: string;
  readonly partId: string;
  readonly partName: string;
  readonly componentType: string;
  readonly componentName: string;
  readonly methodName: string;
  /** on the time requested */
  readonly interval: Interval;
  /** at least one of these; empty: any */
  readonly tags: readonly string[];
  /** with at least one tag, with none, or either */
  readonly tagged: 'tagged' | 'untagged' | 'either';
  readonly includeInternal: boolean;
}

export interface BinaryFilter extends CaptureFilter {
  readonly mimeTypes: readonly string[];
  /** a box with any of these labels */
  readonly boxLabels: readonly string[];
  /** '' or the id of a dataset: ANDs the tag `SVC_DATASET_<id>` with the rest */
  readonly datasetId: string;
}

export interface TabularFilter extends CaptureFilter {
  /** exactly these parameters (canonical JSON, '' = none); null constrains nothing */
  readonly additionalParameters: string | null;
}

export const isOfFiles = (filter: BinaryFilter | TabularFilter): filter is BinaryFilter => 'mimeTypes' in filter;

/** A position in the order of (time requested, id). A page starts after it. */
export interface Position {
  readonly time: Micros;
  readonly id: string;
}

export type Order = 'ascending' | 'descending';

/**
 * One page of a scan by (time requested, id). Stores answer it as a range of an index that starts at `after`, in at
 * most `limit` matches: a page deep in a million rows costs as much as the first.
 */
export interface Scan<Filter extends CaptureFilter> {
  readonly filter: Filter;
  readonly order: Order;
  readonly after: Position | null;
  readonly limit: number;
}

/** Everything that an organization has stored, internal data included. */
export const everythingOf = (organizationId: string): CaptureFilter => ({
  organizationId,
  locationIds: [],
  robotId: '',
  robotName: '',
  partId: '',
  partName: '',
  componentType: '',
  componentName: '',
  methodName: '',
  interval: { start: null, end: null },
  tags: [],
  tagged: 'either',
  includeInternal: true,
});

/** Every file of an organization. */
export const everyFileOf = (organizationId: string): BinaryFilter => ({
  ...everythingOf(organizationId),
  mimeTypes: [],
  boxLabels: [],
  datasetId: '',
});

/** Every reading of an organization. */
export const everyReadingOf = (organizationId: string): TabularFilter => ({
  ...everythingOf(organizationId),
  additionalParameters: null,
});

export interface Summary {
  readonly count: number;
  readonly totalSizeBytes: number;
}

const datasetTagPrefix = 'SVC_DATASET_';

/** The tag that makes a record a member of a dataset; membership is stored nowhere else. */
export const datasetTag = (datasetId: string): string => datasetTagPrefix + datasetId;

/** The ids of the datasets that a set of tags makes a record a member of. */
export const datasetIdsOf = (tags: readonly string[]): string[] =>
  tags.filter((tag) => tag.startsWith(datasetTagPrefix)).map((tag) => tag.slice(datasetTagPrefix.length));

export const positionOf = (capture: { readonly timeRequested: Micros; readonly id: string }): Position => ({
  time: capture.timeRequested,
  id: capture.id,
});

/**
 * Whether a filter matches a file. This is the reference for every store, whatever index it uses.
 * @param filter what is asked for; empty lists and texts ask for everything
 * @param record the file's row
 * @returns true where all conditions hold
 * @example
 * const filter = { ...everythingOf('a'), mimeTypes: ['image/png'], boxLabels: [], datasetId: '' };
 * matchesBinary(filter, { organizationId: 'b' }); // => false
 */
export function matchesBinary(filter: BinaryFilter, record: BinaryRecord): boolean {
  return (
    matchesCapture(filter, record) &&
    oneOf(filter.mimeTypes, record.mimeType) &&
    (filter.datasetId === '' || record.tags.includes(datasetTag(filter.datasetId))) &&
    (filter.boxLabels.length === 0 || record.boundingBoxes.some((box) => filter.boxLabels.includes(box.label)))
  );
}

/**
 * Whether a filter matches a reading. This is the reference for every store, whatever index it uses.
 * @param filter what is asked for; empty lists and texts ask for everything
 * @param row the reading
 * @returns true where all conditions hold
 * @example
 * const filter = { ...everythingOf('a'), additionalParameters: null };
 * matchesTabular(filter, { organizationId: 'b' }); // => false
 */
export function matchesTabular(filter: TabularFilter, row: TabularRow): boolean {
  return (
    matchesCapture(filter, row) &&
    (filter.additionalParameters === null || filter.additionalParameters === row.additionalParameters)
  );
}

function matchesCapture(filter: CaptureFilter, capture: CaptureOrigin): boolean {
  return (
    filter.organizationId === capture.organizationId &&
    (filter.includeInternal || !capture.internal) &&
    inInterval(filter.interval, capture.timeRequested) &&
    oneOf(filter.locationIds, capture.locationId) &&
    equal(filter.robotId, capture.robotId) &&
    equal(filter.robotName, capture.robotName) &&
    equal(filter.partId, capture.partId) &&
    equal(filter.partName, capture.partName) &&
    equal(filter.componentType, capture.componentType) &&
    equal(filter.componentName, capture.componentName) &&
    equal(filter.methodName, capture.methodName) &&
    matchesTags(filter, capture.tags)
  );
}

function matchesTags({ tagged, tags: wanted }: CaptureFilter, tags: readonly string[]): boolean {
  if (tagged !== 'either' && (tagged === 'tagged') !== tags.length > 0) return false;
  return wanted.length === 0 || tags.some((tag) => wanted.includes(tag));
}

const inInterval = ({ start, end }: Interval, time: Micros): boolean =>
  (start === null || time >= start) && (end === null || time < end);
const equal = (wanted: string, value: string): boolean => wanted === '' || wanted === value;
const oneOf = (wanted: readonly string[], value: string): boolean => wanted.length === 0 || wanted.includes(value);
