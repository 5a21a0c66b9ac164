import type { StructValue, TabularRow } from '../ports/stored-captures.ts';
import type {
  PackedReadings,
  PackedRest,
  ReadingDetails,
  ReadingOrigin,
  ReadingParts,
} from '../ports/packed-readings.ts';
import type { ReadingRun } from '../ports/reading-runs.ts';
import { pathTree, pick, type PathTree } from '../ports/path-tree.ts';
import { toMillis } from '../wire/timestamps.ts';
import type { QueryDocument, QueryValue } from './query-document.ts';

const originReaders: Readonly<Record<string, (origin: ReadingOrigin) => string>> = {
  organization_id: (origin) => origin.organizationId,
  location_id: (origin) => origin.locationId,
  robot_id: (origin) => origin.robotId,
  part_id: (origin) => origin.partId,
  component_type: (origin) => origin.componentType,
  component_name: (origin) => origin.componentName,
  method_name: (origin) => origin.methodName,
};

/** Whether a field of a document is part of the reading's origin. */
export const isOriginField = (field: string): boolean => Object.hasOwn(originReaders, field);

/** What the documents of all readings of one origin have in common. */
export const originDocument = (origin: ReadingOrigin): QueryDocument =>
  Object.fromEntries(Object.entries(originReaders).map(([field, read]) => [field, read(origin)]));

const fieldReaders: Readonly<Record<string, (row: TabularRow) => QueryValue>> = {
  ...originReaders,
  time_requested: (row) => new Date(toMillis(row.timeRequested)),
  time_received: (row) => new Date(toMillis(row.timeReceived)),
  tags: (row) => row.tags,
  additional_parameters: (row) => parametersDocument(row.additionalParameters),
  data: (row) => row.payload,
};

const parametersDocument = (text: string): QueryDocument => (text === '' ? {} : (JSON.parse(text) as QueryDocument));

/** The fields of a document of `readings`, in their order. */
const readingFields: readonly string[] = Object.keys(fieldReaders);

/**
 * Makes the document of a row in the collection `readings`: all of it, or, given dotted `paths`, only what is below
 * them. A path that crosses an array keeps the array whole.
 */
export function readingDocuments(paths: readonly string[] | null): (row: TabularRow) => QueryDocument {
  if (paths === null)
    return (row) => Object.fromEntries(readingFields.map((field) => [field, fieldReaders[field]!(row)]));
  const roots = rootsOf(paths);
  const plain = readingFields.filter((field) => field !== 'data' && roots.has(field));
  const dataTree = dataTreeOf(paths);
  return (row) => {
    const document: Record<string, QueryValue> = {};
    for (const field of plain) document[field] = fieldReaders[field]!(row);
    if (dataTree !== null) document.data = pick(row.payload, dataTree);
    return document;
  };
}

const restFields = ['time_received', 'tags', 'additional_parameters'];

/** The parts of packed readings that these paths are read from; null: all parts. */
export function partsOf(paths: readonly string[] | null): ReadingParts {
  const roots = rootsOf(paths ?? readingFields);
  return {
    times: roots.has('time_requested'),
    origins: [...roots].some(isOriginField),
    payloads: roots.has('data'),
    rest: restFields.some((field) => roots.has(field)),
  };
}

/** Whether packed readings contain all of these paths without what they have for whole documents. */
export function arePacked(paths: readonly string[] | null): paths is readonly string[] {
  return paths !== null && !partsOf(paths).rest;
}

/** The documents of packed readings, or what of them is below the paths; readings hold all that is asked for. */
export function unpackReadings(readings: PackedReadings, paths: readonly string[] | null): QueryDocument[] {
  const tree = dataTreeOf(paths ?? readingFields);
  const kept = (document: QueryDocument): QueryDocument =>
    tree === null ? { ...document } : { ...document, data: pick(document.data as StructValue, tree) };
  return Array.from(passReadings(readings, paths), kept);
}

/**
 * The documents of packed readings one after the other. The same object is filled anew for the next reading, so callers must read what
 * they need before they ask for that. It has the fields that the paths begin with; the payload is whole, as it was parsed.
 */
export function* passReadings(
  { count, timesRequested, payloads, unusual, origins, originOf, rest }: PackedReadings,
  paths: readonly string[] | null,
): Generator<QueryDocument> {
  const roots = rootsOf(paths ?? readingFields);
  const named = Object.entries(originReaders).filter(([field]) => roots.has(field));
  const ofOrigin = origins.map((origin): Record<string, QueryValue> => {
    return Object.fromEntries(named.map(([field, read]) => [field, read(origin)]));
  });
  const ofAll: Record<string, QueryValue> = {};
  const hasTime = roots.has('time_requested');
  const addRest = rest === undefined ? null : restReader(rest, roots);
  const values = roots.has('data') ? (JSON.parse(payloads) as StructValue[]) : null;
  if (values !== null) for (const [index, payload] of unusual) values[index] = payload;
  for (let index = 0; index < count; index++) {
    const document = named.length === 0 ? ofAll : ofOrigin[originOf[index]!]!;
    if (hasTime) document.time_requested = new Date(toMillis(timesRequested[index]!));
    addRest?.(document, index);
    if (values !== null) document.data = values[index]!;
    yield document;
  }
}

const noDetails: ReadingDetails = { tags: [], additionalParameters: '' };

/** Adds to a document, in their order, the fields that few queries ask for. */
function restReader(
  { timesReceived, details }: PackedRest,
  roots: ReadonlySet<string>,
): (document: Record<string, QueryValue>, index: number) => void {
  const byIndex = new Map(details);
  const [hasTime, hasTags, hasParameters] = restFields.map((field) => roots.has(field));
  return (document, index) => {
    const { tags, additionalParameters } = byIndex.get(index) ?? noDetails;
    if (hasTime) document.time_received = new Date(toMillis(timesReceived[index]!));
    if (hasTags) document.tags = [...tags];
    if (hasParameters) document.additional_parameters = parametersDocument(additionalParameters);
  };
}

/** Makes the documents of runs, or what of them is below the paths, which runs hold. */
export function runDocuments(paths: readonly string[]): (run: ReadingRun) => Generator<QueryDocument> {
  const roots = rootsOf(paths);
  const named = Object.entries(originReaders).filter(([field]) => roots.has(field));
  const hasTime = roots.has('time_requested');
  const tree = dataTreeOf(paths);
  return function* ({ origin, timesRequested, from, to, payloads }) {
    const base = Object.fromEntries(named.map(([field, read]) => [field, read(origin)]));
    const payloadAt = tree === null ? null : payloads(tree);
    for (let place = from; place < to; place++) {
      const document: Record<string, QueryValue> = named.length === 0 ? {} : { ...base };
      if (hasTime) document.time_requested = new Date(toMillis(timesRequested[place]!));
      if (payloadAt !== null) document.data = payloadAt(place);
      yield document;
    }
  };
}

const rootsOf = (paths: readonly string[]): ReadonlySet<string> => new Set(paths.map((path) => path.split('.')[0]!));

function dataTreeOf(paths: readonly string[]): PathTree | null {
  const below = paths
    .filter((path) => path === 'data' || path.startsWith('data.'))
    .map((path) => path.split('.').slice(1));
  return below.length === 0 ? null : pathTree(below);
}
