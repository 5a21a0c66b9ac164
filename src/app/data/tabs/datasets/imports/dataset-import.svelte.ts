import { counted } from '../../../../kit/words/figures.ts';
import type { NamedFile } from '../../../../../platform/ports/named-file.ts';
import type {
  DatasetClient,
  DatasetPreview,
  DatasetSource,
  ImportItem,
  OpenedDataset,
} from '../../../../../../workers/datasets/client.ts';
import type { ImportFormat } from '../../../../../evidence/datasets/face/formats.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { openMemory, type MemoryPort } from '../../../../kit/memory/remembered.ts';
import { memoizeByObject } from '../../../../../base/schedule/memoize-by-object.ts';
import { undoSteps, type UndoStep } from './annotate-picture.ts';
import { rememberClasses } from '../shared/class-order.svelte.ts';
import type { DatasetFiles } from '../../../context/dataset-files.ts';
import { noCounts, requireStep, type ImportCounts, type ImportStep, type ImportTarget } from './import-step.ts';
import { failureWords, importWords, whyNone } from './import-words.ts';
import { annotateStored, joinStored } from './join-stored.ts';
import { uploadPicture, type ImportOrder } from './upload-picture.ts';

type Ports = Pick<DataContext, 'data' | 'sync' | 'datasets' | 'home' | 'announce'>;
type ImportOptions = Pick<ImportOrder, 'splitsAsTags' | 'knownBoxes'>;

const uploadsAtOnce = 3;
/** The worker sends items in pages of this size, so that a million boxes are not copied at once. */
const pageItems = 200;

/** The import of a dataset, from choosing the files to the report. Nothing is written before `start`. */
export class DatasetImport {
  readonly #ports: Ports;
  readonly #engine: DatasetClient;
  readonly #memory: MemoryPort;
  readonly #nowMs: () => number;
  step = $state.raw<ImportStep>({ kind: 'choose' });
  /** name of the zip or folder */
  sourceName: string = $state('');
  /** suggested name of a new dataset */
  suggestedName: string = $state('');
  opened = $state.raw<OpenedDataset | null>(null);
  preview = $state.raw<DatasetPreview | null>(null);
  #source: DatasetSource | null = null;
  /** id of the dataset whose images annotations without pictures are matched with; '' = all stored images */
  among: string = $state('');
  #undo: UndoStep[] = [];
  #abort = new AbortController();

  constructor(ports: Ports, engine: DatasetClient, memory: MemoryPort, nowMs: () => number = Date.now) {
    this.#ports = ports;
    this.#engine = engine;
    this.#memory = memory;
    this.#nowMs = nowMs;
  }

  /** Opens dropped files. A single zip is opened as an archive. */
  async openDropped(files: Promise<readonly NamedFile[]>): Promise<void> {
    await this.openFiles(await files);
  }

  async openFiles(files: readonly NamedFile[]): Promise<void> {
    const [first] = files;
    if (!first) return;
    if (this.step.kind === 'importing' || this.step.kind === 'undoing')
      return this.#ports.announce('An import is under way: drop these files again when it is done.');
    if (files.length === 1 && /\.zip$/i.test(first.path))
      return this.open({ kind: 'zip', zip: first.file }, first.path);
    const loose = files.length === 1 ? first.path : counted(files.length, 'file');
    const name = first.path.includes('/') ? first.path.split('/')[0]! : loose;
    return this.open({ kind: 'files', files: [...files] }, name, [], looseName(files) ?? name);
  }

  /** @param classNames for YOLO labels, if the files do not contain their class names */
  async open(
    source: DatasetSource,
    name: string,
    classNames: readonly string[] = [],
    suggestedName = name,
  ): Promise<void> {
    requireStep('open', this.step);
    const { signal } = this.#restart();
    this.#source = source;
    this.sourceName = name;
    this.suggestedName = suggestedName.replace(/\.[a-z]{3,5}$/i, '');
    this.step = { kind: 'opening', imageCount: 0 };
    try {
      const opened = await this.#engine.open(source, classNames);
      if (signal.aborted) return void this.#engine.close(opened.number);
      this.opened = opened;
      const [likeliest] = opened.findings.found;
      if (likeliest && opened.pictureCount === 0)
        await joinStored(this.#ports, this.#engine, opened.number, this.among, signal);
      if (likeliest) await this.#read(likeliest.format, signal);
      else this.step = { kind: 'refused', message: whyNone(opened) };
    } catch (error) {
      this.#refuse(error, signal);
    }
  }

  /** Opens the same YOLO labels again, with class names that the person typed. */
  async nameClasses(classNames: readonly string[]): Promise<void> {
    if (this.#source) await this.open(this.#source, this.sourceName, classNames, this.suggestedName);
  }

  /** Matches the annotations with the images of another dataset; '' = all stored images. */
  async lookAmong(datasetId: string): Promise<void> {
    const [opened, format] = [this.opened, this.preview?.format];
    requireStep('read', this.step);
    if (!opened || !format) return;
    this.among = datasetId;
    const { signal } = this.#abort;
    try {
      await joinStored(this.#ports, this.#engine, opened.number, datasetId, signal);
      await this.#read(format, signal);
    } catch (error) {
      this.#refuse(error, signal);
    }
  }

  /** Reads the same files as another format. */
  async readAs(format: ImportFormat): Promise<void> {
    requireStep('read', this.step);
    const { signal } = this.#abort;
    try {
      await this.#read(format, signal);
    } catch (error) {
      this.#refuse(error, signal);
    }
  }

  /** Cancels the current step and starts from the beginning. Imported images stay. */
  reset(): void {
    requireStep('open', this.step);
    this.#restart();
    this.step = { kind: 'choose' };
  }

  stop(): void {
    this.#abort.abort();
  }

  /** The first pictures, for the preview. */
  async firstPictures(count: number): Promise<readonly { readonly index: number; readonly name: string }[]> {
    if (!this.opened) return [];
    const items = await this.#engine.items(this.opened.number, 0, count);
    return items.map(({ fileName }, index) => ({ index, name: fileName }));
  }

  /**
   * Imports the pictures into a dataset, or adds the annotations to the matching stored images.
   * @param only indices of the items to import; all if absent
   * @throws ConnectError if the new dataset cannot be created: AlreadyExists, InvalidArgument
   */
  async start(target: ImportTarget, options: ImportOptions, only?: readonly number[]): Promise<void> {
    requireStep('start', this.step);
    await this.#start(target, options, only);
  }

  async #start(target: ImportTarget, options: ImportOptions, only?: readonly number[]): Promise<void> {
    const [opened, preview] = [this.opened, this.preview];
    if (!opened || !preview) return;
    const isJoin = preview.join !== null;
    const datasetId = await this.#datasetOf(target);
    if (datasetId !== null) rememberClasses(this.#memory, datasetId, preview.classes);
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const startedMs = Math.floor(this.#nowMs());
    const indices = only ?? Array.from({ length: preview.imageCount }, (_, index) => index);
    let counts = noCounts(indices.length);
    const tell = (more: Partial<ImportCounts>): void => {
      counts = { ...counts, ...more };
      this.step = { kind: 'importing', counts };
    };
    tell({});

    const items = this.#items(opened.number, indices);
    const bringNext = async (): Promise<void> => {
      for (let next = await items.next(); !next.done && !signal.aborted; next = await items.next()) {
        const { index, item } = next.value;
        const order = { ...options, datasetId, receivedMs: startedMs + index };
        try {
          const { wasHere, keptOtherBoxes } = await this.#bring(opened.number, index, item, order, signal);
          if (!wasHere) tell({ newCount: counts.newCount + 1, boxCount: counts.boxCount + item.boxes.length });
          else tell({ hereCount: counts.hereCount + 1, keptCount: counts.keptCount + (keptOtherBoxes ? 1 : 0) });
        } catch (error) {
          if (signal.aborted) return;
          const failure = { index, fileName: item.fileName, message: failureWords(error) };
          tell({ failures: [...counts.failures, failure] });
        }
      }
    };
    await Promise.all(Array.from({ length: uploadsAtOnce }, bringNext));
    this.step = { kind: 'done', counts, datasetId, isJoin, isStopped: signal.aborted };
    this.#ports.announce(importWords(counts, isJoin));
  }

  /** Imports the failed items again. */
  async again(options: ImportOptions): Promise<void> {
    requireStep('again', this.step);
    const { datasetId, counts } = this.step;
    await this.#start(
      datasetId === null ? 'none' : { datasetId },
      options,
      counts.failures.map(({ index }) => index),
    );
  }

  /** Reverts all changes to stored images that the annotations made. */
  async undo(): Promise<void> {
    requireStep('undo', this.step);
    if (!this.step.isJoin) throw new Error('Uploaded images cannot be undone, only annotations of stored ones.');
    const steps = this.#undo;
    this.#undo = [];
    this.step = { kind: 'undoing', fraction: 0 };
    let failure = '';
    await undoSteps(steps, (count) => (this.step = { kind: 'undoing', fraction: count / steps.length })).catch(
      (error: unknown) => (failure = failureWords(error)),
    );
    this.step = { kind: 'undone', failure };
    this.#ports.announce(failure || 'The images are as they were.');
  }

  async #datasetOf(target: ImportTarget): Promise<string | null> {
    if (target === 'none') return null;
    if ('datasetId' in target) return target.datasetId;
    const { organizationId } = this.#ports.home;
    const { id } = await this.#ports.datasets.createDataset({ name: target.newName, organizationId });
    this.#undo.push(() => this.#ports.datasets.deleteDataset({ id }));
    return id;
  }

  async #bring(
    number: number,
    index: number,
    item: ImportItem,
    { datasetId, ...order }: Omit<ImportOrder, 'datasetId'> & { readonly datasetId: string | null },
    signal: AbortSignal,
  ): Promise<{ readonly wasHere: boolean; readonly keptOtherBoxes: boolean }> {
    const picture = await this.#engine.picture(number, index);
    if (item.storedId === null)
      return uploadPicture(this.#ports, item, picture, { ...order, datasetId: datasetId! }, signal);
    const done = (undo: UndoStep): void => void this.#undo.push(undo);
    const annotate = { ...order, datasetId };
    const keptOtherBoxes = await annotateStored(
      this.#ports,
      item.storedId,
      item,
      picture.orientation,
      annotate,
      signal,
      done,
    );
    return { wasHere: true, keptOtherBoxes };
  }

  /** Yields the items one by one. Several concurrent consumers may share the generator. */
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
    if (this.opened) void this.#engine.close(this.opened.number);
    this.opened = null;
    this.preview = null;
    this.#undo = [];
    return (this.#abort = new AbortController());
  }

  async #read(format: ImportFormat, signal: AbortSignal): Promise<void> {
    const opened = this.opened!;
    this.step = { kind: 'opening', imageCount: 0 };
    const onProgress = (imageCount: number): void => {
      if (this.step.kind === 'opening') this.step = { kind: 'opening', imageCount };
    };
    const preview = await this.#engine.read(opened.number, format, onProgress, signal);
    if (signal.aborted) return;
    this.preview = preview;
    this.step = { kind: 'preview' };
    const what = preview.join ? 'stored image' : 'image';
    this.#ports.announce(
      `${counted(preview.imageCount, what)} with ${counted(preview.boxCount, 'box')} can be ${preview.join ? 'annotated' : 'imported'}.`,
    );
  }

  #refuse(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.step = { kind: 'refused', message: (error as Error).message };
  }
}

/** The name of the only annotation file beside loose pictures, as a name for the import; null if there is not exactly one. */
function looseName(files: readonly NamedFile[]): string | null {
  const others = files.filter(({ path }) => !/\.(jpe?g|png|webp)$/i.test(path));
  return others.length === 1 && !others[0]!.path.includes('/') ? others[0]!.path : null;
}

/** The import of a data service. It is kept for each data service, so that it continues while another tab is open. */
export const importOf = memoizeByObject(
  (context: DataContext, { engine }: DatasetFiles) =>
    new DatasetImport(
      context,
      engine,
      openMemory(() => localStorage),
    ),
);
