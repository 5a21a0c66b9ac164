import { emptyFilter, listFields, rangeFields, textFields, type DataFilter } from './data-filter.ts';

const names = {
  robotName: 'machine',
  robotId: 'machine-id',
  partName: 'part',
  partId: 'part-id',
  locationIds: 'location',
  componentName: 'component',
  componentType: 'component-type',
  method: 'method',
  start: 'from',
  end: 'until',
  mimeTypes: 'type',
  tags: 'tag',
  tagged: 'tags',
  boxLabels: 'label',
  datasetId: 'dataset',
  fileName: 'name',
  boxesMin: 'boxes-min',
  boxesMax: 'boxes-max',
  confidenceMin: 'confidence-min',
  confidenceMax: 'confidence-max',
  sizeMin: 'kb-min',
  sizeMax: 'kb-max',
  madeBy: 'made-by',
} as const satisfies Record<keyof DataFilter, string>;

const singles = [...textFields, 'datasetId'] as const;
const localTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/;

/** A filter as part of the address: '' or "?tag=a&tag=b&from=2026-01-01T00:00". */
export function writeFilterQuery(filter: DataFilter): string {
  const query = new URLSearchParams();
  for (const field of [...singles, ...rangeFields, 'start', 'end'] as const)
    if (filter[field] !== '') query.set(names[field], filter[field]);
  for (const field of listFields) for (const value of filter[field]) query.append(names[field], value);
  if (filter.tagged !== 'either') query.set(names.tagged, filter.tagged);
  if (filter.madeBy !== 'anyone') query.set(names.madeBy, filter.madeBy);
  const text = query.toString().replaceAll('%2F', '/').replaceAll('%3A', ':');
  return text && `?${text}`;
}

/** Reads the filter from an address; unknown parts are ignored. */
export function readFilterQuery(rest: string): DataFilter {
  const from = rest.indexOf('?');
  const query = new URLSearchParams(from === -1 ? '' : rest.slice(from));
  const time = (name: string): string => {
    const text = query.get(name) ?? '';
    return localTime.test(text) && !Number.isNaN(new Date(text).getTime()) ? text : '';
  };
  const tagged = query.get(names.tagged);
  const madeBy = query.get(names.madeBy);
  const number = (name: string): string => (/^\d+(\.\d+)?$/.test(query.get(name) ?? '') ? query.get(name)! : '');
  return {
    ...emptyFilter,
    ...Object.fromEntries(singles.map((field) => [field, query.get(names[field]) ?? ''])),
    ...Object.fromEntries(
      listFields.map((field) => [field, [...new Set(query.getAll(names[field]).filter((value) => value !== ''))]]),
    ),
    ...Object.fromEntries(rangeFields.map((field) => [field, number(names[field])])),
    madeBy: madeBy === 'person' || madeBy === 'model' ? madeBy : 'anyone',
    start: time(names.start),
    end: time(names.end),
    tagged: tagged === 'tagged' || tagged === 'untagged' ? tagged : 'either',
  };
}
