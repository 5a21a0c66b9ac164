import type { Micros, StructObject, StructValue, TabularRow } from '../ports/capture.ts';
import type { QueryDocument, QueryValue } from './query-document.ts';

const fieldReaders: Readonly<Record<string, (row: TabularRow) => QueryValue>> = {
  organization_id: (row) => row.organizationId,
  location_id: (row) => row.locationId,
  robot_id: (row) => row.robotId,
  part_id: (row) => row.partId,
  component_type: (row) => row.componentType,
  component_name: (row) => row.componentName,
  method_name: (row) => row.methodName,
  time_requested: (row) => new Date(millis(row.timeRequested)),
  time_received: (row) => new Date(millis(row.timeReceived)),
  tags: (row) => row.tags,
  additional_parameters: (row) =>
    row.additionalParameters === '' ? {} : (JSON.parse(row.additionalParameters) as QueryDocument),
  data: (row) => row.payload,
};

/** The fields of a document of `readings`, in their order. */
export const readingFields: readonly string[] = Object.keys(fieldReaders);

/** Documents know time to the millisecond, as BSON dates do. */
function millis(time: Micros): number {
  return Math.floor(time / 1000);
}

/**
 * Makes the document of a row in the collection `readings`: all of it, or, given dotted `paths`, only what is below
 * them. A path that crosses an array keeps the array whole.
 */
export function readingDocuments(paths: readonly string[] | null): (row: TabularRow) => QueryDocument {
  if (paths === null)
    return (row) => Object.fromEntries(readingFields.map((field) => [field, fieldReaders[field]!(row)]));
  const roots = new Set(paths.map((path) => path.split('.')[0]!));
  const plain = readingFields.filter((field) => field !== 'data' && roots.has(field));
  const dataPaths = paths
    .filter((path) => path === 'data' || path.startsWith('data.'))
    .map((path) => path.split('.').slice(1));
  const dataTree = dataPaths.length === 0 ? null : pathTree(dataPaths);
  return (row) => {
    const document: Record<string, QueryValue> = {};
    for (const field of plain) document[field] = fieldReaders[field]!(row);
    if (dataTree !== null) document.data = pick(row.payload, dataTree);
    return document;
  };
}

/** Names to what is wanted below them; 'all' ends a path. */
type PathTree = ReadonlyMap<string, PathTree> | 'all';

function pathTree(paths: readonly (readonly string[])[]): PathTree {
  if (paths.some((path) => path.length === 0)) return 'all';
  const names = new Set(paths.map((path) => path[0]!));
  return new Map(
    Array.from(names, (name) => [
      name,
      pathTree(paths.filter((path) => path[0] === name).map((path) => path.slice(1))),
    ]),
  );
}

function pick(value: StructValue, tree: PathTree): StructValue {
  if (tree === 'all' || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const picked: Record<string, StructValue> = {};
  for (const [name, below] of tree)
    if (Object.hasOwn(value, name)) picked[name] = pick((value as StructObject)[name]!, below);
  return picked;
}
