import type { TabularRow } from '../../src/data-service/ports/stored-captures.ts';
import type { Scan, TabularFilter } from '../../src/data-service/ports/capture-filter.ts';
import type { DataStore } from '../../src/data-service/ports/data-store.ts';

/** Time in ms for each page, by the name of the scan. */
export type PageTimes = Readonly<Record<string, readonly number[]>>;

const everything: TabularFilter = {
  organizationId: 'org',
  locationIds: [],
  robotId: '',
  robotName: '',
  partId: '',
  partName: '',
  componentType: '',
  componentName: '',
  methodName: '',
  tags: [],
  tagged: 'either',
  includeInternal: false,
  interval: { start: null, end: null },
  additionalParameters: null,
};

const sensors = 10;
const batchRows = 10_000;

/** Stores rows of ten sensors in turn, a second apart; one in a hundred has a tag. `changes` are applied to every row. */
export async function fillTabular(
  { tabular }: Pick<DataStore, 'tabular'>,
  rowCount: number,
  changes: Partial<TabularRow> = {},
): Promise<void> {
  const organizationId = changes.organizationId ?? 'org';
  for (let first = 0; first < rowCount; first += batchRows) {
    const rows = Array.from({ length: batchRows }, (_, index) => ({ ...rowAt(first + index), ...changes }));
    const uploadId = `upload-${first}`;
    await tabular.insert(rows, {
      organizationId,
      uploadId,
      fromClient: false,
      fileId: uploadId,
      binaryDataId: '',
      timeSynced: first,
    });
  }
}

const timeAt = (index: number): number => 1_700_000_000_000_000 + index * 1_000_000;

function rowAt(index: number): TabularRow {
  return {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    organizationId: 'org',
    locationId: 'loc',
    robotId: 'robot',
    robotName: 'rover',
    partId: 'part',
    partName: 'rover-main',
    componentType: 'rdk:component:sensor',
    methodName: 'Readings',
    componentName: `sensor-${index % sensors}`,
    methodParameters: {},
    internal: false,
    additionalParameters: '',
    sizeBytes: 24,
    timeRequested: timeAt(index),
    timeReceived: timeAt(index),
    timeSynced: timeAt(index),
    tags: index % 100 === 0 ? ['checked'] : [],
    payload: { readings: { temp: 20 + (index % 100) / 10 } },
  };
}

const scans: Readonly<Record<string, (rowCount: number, page: number) => Scan<TabularFilter>>> = {
  'newest first': () => ({ filter: everything, order: 'descending', after: null, limit: 50 }),
  'deep, oldest first': (rowCount, page) => ({
    filter: everything,
    order: 'ascending',
    after: { time: timeAt(Math.floor(rowCount * (0.3 + page / 400))), id: '~' },
    limit: 50,
  }),
  'one sensor, deep': (rowCount, page) => ({
    filter: { ...everything, partId: 'part', componentName: 'sensor-3' },
    order: 'descending',
    after: { time: timeAt(Math.floor(rowCount * (0.3 + page / 400))), id: '~' },
    limit: 50,
  }),
  'a tag': () => ({ filter: { ...everything, tags: ['checked'] }, order: 'descending', after: null, limit: 50 }),
  'an interval': (rowCount, page) => ({
    filter: { ...everything, interval: { start: timeAt(Math.floor(rowCount * (0.2 + page / 400))), end: null } },
    order: 'ascending',
    after: null,
    limit: 50,
  }),
};

export const scanNames: readonly string[] = Object.keys(scans);

/** Measures the scans in turn, so that other work on the computer affects all of them equally. */
export async function pageTimes(
  { tabular }: Pick<DataStore, 'tabular'>,
  rowCount: number,
  pagesEach: number,
): Promise<PageTimes> {
  const times: Record<string, number[]> = Object.fromEntries(scanNames.map((name) => [name, []]));
  for (let page = 0; page < pagesEach; page++) {
    for (const name of scanNames) {
      const startMs = performance.now();
      const rows = await tabular.page(scans[name]!(rowCount, page));
      times[name]!.push(performance.now() - startMs);
      if (rows.length !== 50) throw new Error(`"${name}" gave ${rows.length} rows instead of 50.`);
    }
  }
  return times;
}
