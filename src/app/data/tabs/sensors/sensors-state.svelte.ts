import { byteText, counted, numberText } from '../../../kit/words/figures.ts';
import type { DataContext } from '../../context/data-context.ts';
import type { DocumentColumn } from '../../shared/documents/document-columns.ts';
import type { DataFilter } from '../../shared/filters/data-filter.ts';
import { readFilterQuery, writeFilterQuery } from '../../shared/filters/filter-query.ts';
import { exportReadings } from './export-readings.ts';
import { readLatest, type LatestReading } from './read-latest.ts';
import { readingSources, sourceKey, type ReadingSource } from './reading-sources.ts';
import { Readings } from './readings.svelte.ts';

type Ports = Pick<DataContext, 'data' | 'home' | 'place' | 'announce' | 'report'>;

/** The Sensors tab: the readings that match the address, what they come from, and writing them to a file. */
export class SensorsState {
  readonly #context: Ports;
  readonly #save: (name: string, file: Blob) => void;
  readonly #query = $derived.by(() => this.#context.place.rest);
  /** Those that match; null until the first are read. */
  readings = $state.raw<Readings | null>(null);
  /** All that readings come from. */
  sources = $state.raw<readonly ReadingSource[]>([]);
  #latest = $state.raw<{ readonly of: string; readonly reading: LatestReading | null } | null>(null);
  #writing = $state.raw<{ readonly abort: AbortController; readonly count: number } | null>(null);
  /** What is read now; it is shown once there is something to show. */
  #reading: Readings | null = null;
  #left = new AbortController();

  /** Shows nothing until `read`. `save` takes a finished file. */
  constructor(context: Ports, save: (name: string, file: Blob) => void) {
    this.#context = context;
    this.#save = save;
  }

  /** What the address asks for. */
  readonly filter = $derived.by(() => readFilterQuery(this.#query));
  readonly isFiltered = $derived.by(() => this.#query !== '');

  /** The sources that the filter leaves. */
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

  /** The key of the one source that was chosen; '' = all. */
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

  /** Of one source, its component is said once above, not in every line. */
  readonly columns: readonly DocumentColumn[] = $derived.by(() =>
    (this.readings?.columns ?? []).filter(({ path }) => path !== 'component' || this.matching.length > 1),
  );

  /** The newest reading where one source is shown; null where there is none, or it is not read yet. */
  get latest(): LatestReading | null {
    return this.#single && this.#latest?.of === sourceKey(this.#single) ? this.#latest.reading : null;
  }

  /** How many readings are written to a file by now; null while none are. */
  get writtenCount(): number | null {
    return this.#writing?.count ?? null;
  }

  /** Reads what matches the address now. What was shown stays until there is something else to show. */
  read(): void {
    this.close();
    this.#left = new AbortController();
    const reading = (this.#reading = new Readings(this.#context, this.filter));
    void reading.start(() => (this.readings = reading));
    void this.#readLatest(this.#left.signal);
    void this.#readSources(this.#left.signal);
  }

  /** Reads again where there are more or fewer readings than are shown. */
  async checkForNew(): Promise<void> {
    const shown = this.readings;
    if (shown && (await shown.hasChanged()) && shown === this.readings) this.read();
  }

  /** Gives up what is read; what is written goes on. */
  close(): void {
    this.#reading?.close();
    this.#left.abort();
  }

  /** Puts a filter into the address. */
  show(filter: DataFilter): void {
    this.#context.place.go('sensors', writeFilterQuery(filter), { replace: true });
  }

  /** Shows one source alone, by its key; all with ''. The rest of the filter stays. */
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

  /** Writes all that matches to a file, also what came since it was listed. */
  async write(format: 'csv' | 'json'): Promise<void> {
    const abort = new AbortController();
    const { filter } = this;
    this.#writing = { abort, count: 0 };
    try {
      this.sources = await readingSources(this.#context, abort.signal);
      const file = await exportReadings(this.#context, {
        sources: this.matching,
        filter,
        format,
        signal: abort.signal,
        onProgress: (count) => (this.#writing = { abort, count }),
      });
      this.#save(`${this.#single?.componentName ?? 'readings'}.${format}`, file);
      this.#context.announce('The readings were written.');
    } catch (error) {
      if (!abort.signal.aborted) this.#context.report(error, 'The readings could not be written.');
    } finally {
      this.#writing = null;
    }
  }

  stopWriting(): void {
    this.#writing?.abort.abort();
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
    // a source without the names that it is asked by has no latest value
    const reading = await readLatest(this.#context, source, signal).catch(() => null);
    if (!signal.aborted) this.#latest = { of: sourceKey(source), reading };
  }
}
