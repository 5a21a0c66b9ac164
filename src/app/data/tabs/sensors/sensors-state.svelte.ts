import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { readingInstants, readingRows } from '../../../../remote/links/rows-link.ts';
import type { RowFormat } from '../../../../base/row-files/row-file-writer.ts';
import type { saveFile } from '../../../kit/layout/save-file.ts';
import { byteText, counted, numberText } from '../../../kit/words/figures.ts';
import type { DataContext } from '../../context/data-context.ts';
import type { DocumentColumn } from '../../shared/documents/document-columns.ts';
import { intervalMs, type DataFilter } from '../../shared/filters/data-filter.ts';
import { readFilterQuery, writeFilterQuery } from '../../shared/filters/filter-query.ts';
import { RowExport } from '../../shared/row-files/row-export.svelte.ts';
import { readLatest, type LatestReading } from './read-latest.ts';
import { readingSources, sourceKey, type ReadingSource } from './reading-sources.ts';
import { Readings } from './readings.svelte.ts';

type Ports = Pick<
  DataContext,
  'data' | 'transport' | 'home' | 'refusal' | 'place' | 'announce' | 'report' | 'writeRows'
>;

/** The state of the Sensors tab: the readings that match the address, their sources, and their export to a file. */
export class SensorsState {
  readonly #context: Ports;
  readonly #query = $derived.by(() => this.#context.place.rest);
  /** The matching readings; null until the first page is read. */
  readings = $state.raw<Readings | null>(null);
  /** All sources of readings. */
  sources = $state.raw<readonly ReadingSource[]>([]);
  #latest = $state.raw<{ readonly of: string; readonly reading: LatestReading | null } | null>(null);
  /** The file that readings are saved in. */
  readonly saving: RowExport;
  /** The readings that are being read; they become `readings` after their first page. */
  #reading: Readings | null = null;
  #left = new AbortController();

  /** Nothing is read before `read` is called. `save` saves an exported file. */
  constructor(context: Ports, save?: typeof saveFile) {
    this.#context = context;
    this.saving = new RowExport(context, save);
  }

  /** The filter in the address. */
  readonly filter = $derived.by(() => readFilterQuery(this.#query));
  readonly isFiltered = $derived.by(() => this.#query !== '');

  /** The sources that match the filter. */
  readonly matching = $derived.by(() => {
    const { partId, componentName, componentType, method } = this.filter;
    return this.sources.filter(
      (source) =>
        (partId === '' || partId === source.partId) &&
        (componentName === '' || componentName === source.componentName) &&
        (componentType === '' || componentType === source.componentType) &&
        (method === '' || method === source.methodName),
    );
  });

  readonly #single = $derived.by(() => (this.matching.length === 1 ? this.matching[0]! : null));

  /** The key of the chosen source; '' = all sources. */
  readonly chosen = $derived.by(() =>
    this.filter.componentName !== '' && this.#single ? sourceKey(this.#single) : '',
  );

  /** "500 of 1,204 readings · 3.2 MB"; '' until they are counted. */
  readonly summary = $derived.by(() => {
    const total = this.readings?.total ?? null;
    if (this.readings === null || total === null) return '';
    const { rows, totalSizeBytes } = this.readings;
    const shown = rows.length < total ? `${numberText(rows.length)} of ` : '';
    return `${shown}${counted(total, 'reading')} · ${byteText(totalSizeBytes)}`;
  });

  /** The table's columns. If only one source matches, its component stands above the table and needs no column. */
  readonly columns: readonly DocumentColumn[] = $derived.by(() =>
    (this.readings?.columns ?? []).filter(({ path }) => path !== 'component' || this.matching.length > 1),
  );

  /** The newest reading of the only matching source; null if several match, or it is not read yet. */
  get latest(): LatestReading | null {
    return this.#single && this.#latest?.of === sourceKey(this.#single) ? this.#latest.reading : null;
  }

  /** Reads the readings that match the address. The old ones stay on the page until the first new page has come. */
  read(): void {
    this.close();
    this.#left = new AbortController();
    const reading = (this.#reading = new Readings(this.#context, this.filter));
    void reading.start(() => (this.readings = reading));
    void this.#readLatest(this.#left.signal);
    void this.#readSources(this.#left.signal);
  }

  /** Reads again if the number of matching readings has changed. */
  async checkForNew(): Promise<void> {
    const shown = this.readings;
    if (shown && (await shown.hasChanged()) && shown === this.readings) this.read();
  }

  /** Cancels reading. A running export continues. */
  close(): void {
    this.#reading?.close();
    this.#left.abort();
  }

  /** Puts a filter into the address. */
  show(filter: DataFilter): void {
    this.#context.place.go('sensors', writeFilterQuery(filter), { replace: true });
  }

  /** Filters by one source, given by its key; '' shows all. The rest of the filter stays. */
  choose(key: string): void {
    const source = this.sources.find((one) => sourceKey(one) === key);
    this.show({
      ...this.filter,
      partId: source?.partId ?? '',
      componentName: source?.componentName ?? '',
      componentType: source?.componentType ?? '',
      method: source?.methodName ?? '',
    });
  }

  /** Saves all matching readings as a file, also those that were stored after the list was read. */
  async save(format: RowFormat): Promise<void> {
    const { filter } = this;
    const name = this.#single?.componentName || 'readings';
    await this.saving.save({ name, instants: readingInstants, read: (signal) => this.#rows(filter, signal) }, format);
  }

  async *#rows(filter: DataFilter, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    this.sources = await readingSources(this.#context, signal);
    const { start, end } = intervalMs(filter);
    const interval = {
      ...(start !== null && { start: timestampFromMs(start) }),
      ...(end !== null && { end: timestampFromMs(end) }),
    };
    const requests = this.matching.map(({ partId, componentName, componentType, methodName }) => ({
      partId,
      resourceName: componentName,
      resourceSubtype: componentType,
      methodName,
      interval,
    }));
    yield* readingRows(this.#context.transport, requests, signal);
  }

  async #readSources(signal: AbortSignal): Promise<void> {
    try {
      const before = this.#single;
      this.sources = await readingSources(this.#context, signal);
      const now = this.#single;
      if (now && (!before || sourceKey(before) !== sourceKey(now))) await this.#readLatest(signal);
    } catch (error) {
      if (!signal.aborted) this.#context.report(error, 'What readings come from could not be listed.');
    }
  }

  async #readLatest(signal: AbortSignal): Promise<void> {
    const source = this.#single;
    if (!source) return;
    // The service refuses a source that lacks a name which the request needs: such a source shows no latest reading.
    const reading = await readLatest(this.#context, source, signal).catch(() => null);
    if (!signal.aborted) this.#latest = { of: sourceKey(source), reading };
  }
}
