import { emptyFilter, fieldNames, listFields, rangeFields, textFields, type DataFilter } from './data-filter.ts';

/** One condition of a filter, and the filter without it. */
export interface FilterChip {
  readonly name: string;
  readonly value: string;
  readonly without: DataFilter;
}

/** The conditions of a filter, each of which can be removed. `nameOfDataset` maps a dataset's id to its name. */
export function filterChips(filter: DataFilter, nameOfDataset: (id: string) => string): readonly FilterChip[] {
  const chips: FilterChip[] = [];
  const add = (field: keyof DataFilter, value: string, without: Partial<DataFilter>): void => {
    chips.push({ name: fieldNames[field], value, without: { ...filter, ...without } });
  };
  if (filter.datasetId !== '') add('datasetId', nameOfDataset(filter.datasetId), { datasetId: '' });
  for (const field of listFields)
    for (const value of filter[field]) add(field, value, { [field]: filter[field].filter((other) => other !== value) });
  if (filter.tagged !== 'either')
    add('tagged', filter.tagged === 'tagged' ? 'any' : 'none', { tagged: emptyFilter.tagged });
  if (filter.madeBy !== 'anyone') add('madeBy', filter.madeBy, { madeBy: emptyFilter.madeBy });
  for (const field of [...textFields, ...rangeFields])
    if (filter[field] !== '') add(field, filter[field], { [field]: '' });
  for (const field of ['start', 'end'] as const)
    if (filter[field] !== '') add(field, filter[field].replace('T', ' '), { [field]: '' });
  return chips;
}
