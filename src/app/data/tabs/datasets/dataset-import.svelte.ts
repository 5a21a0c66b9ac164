import type { NamedFile } from '../../../../ports/named-file.ts';
import type {
  DatasetClient,
  DatasetPreview,
  DatasetSource,
  ImportItem,
  OpenedDataset,
} from '../../../../../workers/datasets/client.ts';
import type { ImportFormat } from '../../../../datasets/dataset-formats.ts';
import { missingWords } from '../../../../datasets/import-dataset.ts';
import type { DataContext } from '../../data-context.ts';
import { errorWords } from '../../error-words.ts';
import { openMemory, type MemoryPort } from '../../../view/remembered.ts';
import { oneForEach } from '../../one-for-each.ts';
import { rememberClasses } from './class-order.svelte.ts';
import type { DatasetFiles } from './dataset-files.ts';
import { uploadPicture, type ImportOrder } from './upload-picture.ts';

export interface PictureFailure {
  readonly index: number;
  readonly fileName: string;
  readonly message: string;
}

export interface ImportCounts {
  readonly count: number;
  readonly newCount: number;
  readonly hereCount: number;
  /** of those that were here: have other boxes than the import, and keep them */
  readonly keptCount: number;
  readonly failures: readonly PictureFailure[];
}

/** The dataset that pictures go into: one that is there, or a new one. */
export type ImportTarget = { readonly datasetId: string } | { readonly newName: string };

/** How far an import is. */
export type ImportStep =
  | { readonly kind: 'choose' }
  | { readonly kind: 'opening'; readonly imageCount: number }
  /** nothing can come of it; why */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'preview' }
  | { readonly kind: 'importing'; readonly counts: ImportCounts }
  | { readonly kind: 'done'; readonly counts: ImportCounts; readonly datasetId: string; readonly isStopped: boolean };

type Ports = Pick<DataContext, 'data' | 'sync' | 'datasets' | 'home' | 'announce'>;

const uploadsAtOnce = 3;
/** Items are asked for in pages: a million boxes are not copied at once. */
const pageItems = 200;

/** One import, from what was dropped to the report. Nothing is written before `start`. */
export class DatasetImport {
  readonly #ports: Ports;
  readonly #engine: DatasetClient;
  readonly #memory: MemoryPort;
  readonly #nowMs: () => number;
  #step = $state.raw<ImportStep>({ kind: 'choose' });
  #sourceName = $state('');
  #opened = $state.raw<OpenedDataset | null>(null);
  #preview = $state.raw<DatasetPreview | null>(null);
  #abort = new AbortController();

  constructor(ports: Ports, engine: DatasetClient, memory: MemoryPort, nowMs: () => number = Date.now) {
    this.#ports = ports;
    this.#engine = engine;
    this.#memory = memory;
    this.#nowMs = nowMs;
  }

  get step(): ImportStep {
    return this.#step;
  }

  /** of the zip or folder */
  get sourceName(): string {
    return this.#sourceName;
  }

  get opened(): OpenedDataset | null {
    return this.#opened;
  }

  get preview(): DatasetPreview | null {
    return this.#preview;
  }

  /** Takes what was dropped: a single zip is read as one. */
  async openDropped(files: Promise<readonly NamedFile[]>): Promise<void> {
    await this.openFiles(await files);
  }

  async openFiles(files: readonly NamedFile[]): Promise<void> {
    const [first] = files;
    if (!first) return;
    if (files.length === 1 && /\.zip$/i.test(first.path))
      return this.open({ kind: 'zip', zip: first.file }, first.path);
    const folder = first.path.includes('/') ? first.path.split('/')[0]! : `${files.length} files`;
    return this.open({ kind: 'files', files: [...files] }, folder);
  }

  async open(source: DatasetSource, name: string): Promise<void> {
    const { signal } = this.#restart();
    this.#sourceName = name;
    this.#step = { kind: 'opening', imageCount: 0 };
    try {
      const opened = await this.#engine.open(source);
      if (signal.aborted) return void this.#engine.close(opened.number);
      this.#opened = opened;
      const [likeliest] = opened.findings.found;
      if (likeliest) await this.#read(likeliest.format, signal);
      else this.#step = { kind: 'refused', message: whyNone(opened) };
    } catch (error) {
      this.#refuse(error, signal);
    }
  }

  /** Reads the same files as another format. */
  async readAs(format: ImportFormat): Promise<void> {
    const { signal } = this.#abort;
    try {
      await this.#read(format, signal);
    } catch (error) {
      this.#refuse(error, signal);
    }
  }

  /** Gives up what is under way, and begins again. What was imported stays. */
  reset(): void {
    this.#restart();
    this.#step = { kind: 'choose' };
  }

  stop(): void {
    this.#abort.abort();
  }

  /** The first pictures, for a look before anything is written. */
  async firstPictures(count: number): Promise<readonly { readonly index: number; readonly name: string }[]> {
    if (!this.#opened) return [];
    const items = await this.#engine.items(this.#opened.number, 0, count);
    return items.map(({ fileName }, index) => ({ index, name: fileName }));
  }

  /**
   * Brings the pictures into a dataset; those of `only`, or all.
   * @throws ConnectError when the new dataset cannot be created: AlreadyExists, InvalidArgument
   */
  async start(
    target: ImportTarget,
    options: Pick<ImportOrder, 'splitsAsTags' | 'knownBoxes'>,
    only?: readonly number[],
  ): Promise<void> {
    const [opened, preview] = [this.#opened, this.#preview];
    if (!opened || !preview || this.#step.kind === 'importing') return;
    const { organizationId } = this.#ports.home;
    const datasetId =
      'datasetId' in target
        ? target.datasetId
        : (await this.#ports.datasets.createDataset({ name: target.newName, organizationId })).id;
    rememberClasses(this.#memory, datasetId, preview.classes);
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const startedMs = Math.floor(this.#nowMs());
    const indices = only ?? Array.from({ length: preview.imageCount }, (_, index) => index);
    let counts: ImportCounts = { count: indices.length, newCount: 0, hereCount: 0, keptCount: 0, failures: [] };
    const tell = (more: Partial<ImportCounts>): void => {
      counts = { ...counts, ...more };
      this.#step = { kind: 'importing', counts };
    };
    tell({});

    const items = this.#items(opened.number, indices);
    const uploadNext = async (): Promise<void> => {
      for (let next = await items.next(); !next.done && !signal.aborted; next = await items.next()) {
        const { index, item } = next.value;
        try {
          const order = { ...options, datasetId, receivedMs: startedMs + index };
          const picture = await this.#engine.picture(opened.number, index);
          const { wasHere, keptOtherBoxes } = await uploadPicture(this.#ports, item, picture, order, signal);
          if (!wasHere) tell({ newCount: counts.newCount + 1 });
          else tell({ hereCount: counts.hereCount + 1, keptCount: counts.keptCount + (keptOtherBoxes ? 1 : 0) });
        } catch (error) {
          if (signal.aborted) return;
          const failure = { index, fileName: item.fileName, message: wordsOf(error) };
          tell({ failures: [...counts.failures, failure] });
        }
      }
    };
    await Promise.all(Array.from({ length: uploadsAtOnce }, uploadNext));
    this.#step = { kind: 'done', counts, datasetId, isStopped: signal.aborted };
    this.#ports.announce(importWords(counts));
  }

  /** Tries those again that failed. */
  async again(options: Pick<ImportOrder, 'splitsAsTags' | 'knownBoxes'>): Promise<void> {
    if (this.#step.kind !== 'done') return;
    const { datasetId, counts } = this.#step;
    await this.start(
      { datasetId },
      options,
      counts.failures.map(({ index }) => index),
    );
  }

  /** Items in turn; several may take from it. */
  async *#items(number: number, indices: readonly number[]) {
    let [pageStart, page]: [number, readonly ImportItem[]] = [-1, []];
    for (const index of indices) {
      const start = index - (index % pageItems);
      if (start !== pageStart) page = await this.#engine.items(number, start, start + pageItems);
      pageStart = start;
      yield { index, item: page[index - start]! };
    }
  }

  #restart(): AbortController {
    this.#abort.abort();
    if (this.#opened) void this.#engine.close(this.#opened.number);
    this.#opened = null;
    this.#preview = null;
    return (this.#abort = new AbortController());
  }

  async #read(format: ImportFormat, signal: AbortSignal): Promise<void> {
    const opened = this.#opened!;
    this.#step = { kind: 'opening', imageCount: 0 };
    const onProgress = (imageCount: number): void => {
      if (this.#step.kind === 'opening') this.#step = { kind: 'opening', imageCount };
    };
    const preview = await this.#engine.read(opened.number, format, onProgress, signal);
    if (signal.aborted) return;
    this.#preview = preview;
    this.#step = { kind: 'preview' };
    this.#ports.announce(`${preview.imageCount} images with ${preview.boxCount} boxes can be imported.`);
  }

  #refuse(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#step = { kind: 'refused', message: (error as Error).message };
  }
}

/** What each format lacks, where none was found. */
function whyNone({ findings, fileCount }: OpenedDataset): string {
  if (fileCount === 0) return 'There are no files in it.';
  if (findings.recognized !== '') return findings.recognized;
  return `${fileCount === 1 ? 'Its one file does not start' : `None of its ${fileCount} files starts`} a dataset. ${missingWords(findings.missing)}`;
}

function wordsOf(error: unknown): string {
  const isOfDataset = error instanceof Error && error.name === 'DatasetError';
  return isOfDataset ? error.message : (errorWords(error)?.message ?? 'It was stopped.');
}

/** "12 images imported, 3 were here already, 1 failed." */
export function importWords({ newCount, hereCount, failures }: ImportCounts): string {
  const images = newCount === 1 ? '1 image' : `${newCount.toLocaleString('en')} images`;
  const here =
    hereCount > 0 ? `, ${hereCount.toLocaleString('en')} ${hereCount === 1 ? 'was' : 'were'} here already` : '';
  const failed = failures.length > 0 ? `, ${failures.length.toLocaleString('en')} failed` : '';
  return `${images} imported${here}${failed}.`;
}

/** The import of a data service: it goes on while another tab is open. */
export const importOf = oneForEach(
  (context: DataContext, { engine }: DatasetFiles) =>
    new DatasetImport(
      context,
      engine,
      openMemory(() => localStorage),
    ),
);
