import { counted } from '../../../../kit/words/figures.ts';
import { toJson } from '@bufbuild/protobuf';
import { timestampNow, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type {
  DatasetClient,
  ExportPicture,
  ExportTarget,
  WrittenDataset,
} from '../../../../../../workers/datasets/client.ts';
import type { DatasetClass, Split } from '../../../../../evidence/datasets/face/items.ts';
import type { DatasetFormat } from '../../../../../evidence/datasets/face/formats.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { errorWords } from '../../../../kit/words/error-words.ts';
import { memoizeByObject } from '../../../../../base/schedule/memoize-by-object.ts';
import type { DatasetFiles } from '../../../context/dataset-files.ts';
import { completeSequences } from '../shared/complete-sequences.ts';
import { fetchBytes, isPicture, picturePages, type StoredPicture } from '../../../annotate/saving/stored-pictures.ts';
import { inBatches } from '../../../../../base/schedule/in-batches.ts';

export interface ExportOrder {
  readonly datasetId: string;
  readonly datasetName: string;
  readonly format: DatasetFormat;
  readonly target: ExportTarget;
  /** expected number of pictures, for the progress */
  readonly count: number;
  /** the classes with a given order; empty if none was given */
  readonly classes: readonly DatasetClass[];
  readonly splitOf: (id: string) => Split | null;
  /** whether the train images are also used as val if val has none */
  readonly validatesOnTrain: boolean;
}

export type ExportStep =
  | { readonly kind: 'idle' }
  | { readonly kind: 'writing'; readonly doneCount: number; readonly count: number; readonly byteCount: number }
  | { readonly kind: 'failed'; readonly message: string; readonly cure: string }
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'done';
      readonly format: DatasetFormat;
      readonly written: WrittenDataset;
      readonly byteCount: number;
      /** number of files in the dataset that are not pictures */
      readonly otherCount: number;
      /** number of pictures that were deleted while the export ran */
      readonly goneCount: number;
    };

/** The export of a dataset; only one runs at a time. Pictures are fetched on demand, one batch ahead of the writer. */
export class DatasetExport {
  readonly #context: Pick<DataContext, 'data' | 'home' | 'announce'>;
  readonly #engine: Pick<DatasetClient, 'write'>;
  step = $state.raw<ExportStep>({ kind: 'idle' });
  #abort = new AbortController();

  constructor(context: Pick<DataContext, 'data' | 'home' | 'announce'>, engine: Pick<DatasetClient, 'write'>) {
    this.#context = context;
    this.#engine = engine;
  }

  stop(): void {
    this.#abort.abort();
  }

  /** Writes the dataset. Resolves to the zip if the target is 'zip-blob', otherwise to null. A failure is put into `step`. */
  async run({
    target,
    format,
    datasetName,
    classes,
    validatesOnTrain,
    count,
    ...order
  }: ExportOrder): Promise<Blob | null> {
    if (this.step.kind === 'writing') return null;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const left = { otherCount: 0, goneCount: 0 };
    let [doneCount, byteCount] = [0, 0];
    this.step = { kind: 'writing', doneCount, count, byteCount };
    const batches = this.#batches(order, left, signal);
    let ahead = batches.next();
    const next = async (): Promise<readonly ExportPicture[]> => {
      const { done, value: batch } = await ahead;
      if (done) return [];
      ahead = batches.next();
      ahead.catch(() => undefined); // not an unhandled rejection: the next call of `next` throws the error
      doneCount += batch.length;
      byteCount += batch.reduce((total, { bytes }) => total + bytes.length, 0);
      this.step = { kind: 'writing', doneCount, count, byteCount };
      return batch;
    };
    ahead.catch(() => undefined);
    try {
      const createdAt = toJson(TimestampSchema, timestampNow());
      const request = { format, datasetName, classes, target, validatesOnTrain, createdAt };
      const written = await this.#engine.write(request, next, signal);
      this.step = { kind: 'done', format, written, byteCount, ...left };
      this.#context.announce(`${counted(written.imageCount, 'image')} exported.`);
      return written.zip;
    } catch (error) {
      if (signal.aborted) this.step = { kind: 'stopped' };
      else this.step = { kind: 'failed', ...failureWords(error) };
      return null;
    } finally {
      this.#abort.abort(); // cancels the batch that is being fetched ahead
    }
  }

  async *#batches(
    { datasetId, splitOf }: Pick<ExportOrder, 'datasetId' | 'splitOf'>,
    left: { otherCount: number; goneCount: number },
    signal: AbortSignal,
  ): AsyncGenerator<readonly ExportPicture[]> {
    const { data } = this.#context;
    const pictures: StoredPicture[] = [];
    for await (const page of picturePages(this.#context, datasetId, signal)) {
      for (const file of page) if (isPicture(file)) pictures.push(file);
      left.otherCount += page.length - page.filter(isPicture).length;
    }
    for (const batch of inBatches(await completeSequences(this.#context, pictures, signal))) {
      const fetched = await fetchBytes(
        data,
        batch.map(({ contentId }) => contentId),
        signal,
      );
      const found = batch.flatMap(({ sizeBytes: _, mimeType: _type, timeMs: _time, source: _source, ...picture }) => {
        const bytes = fetched.get(picture.contentId);
        return bytes ? [{ ...picture, bytes, split: splitOf(picture.contentId) }] : [];
      });
      left.goneCount += batch.length - found.length;
      if (found.length > 0) yield found;
    }
  }
}

function failureWords(error: unknown): { readonly message: string; readonly cure: string } {
  if (error instanceof Error && error.name === 'DatasetError') return { message: error.message, cure: '' };
  if (error instanceof Error && error.name === 'QuotaExceededError')
    return { message: 'The disk is full.', cure: 'Make room, or export into a folder elsewhere.' };
  return errorWords(error) ?? { message: 'It was stopped.', cure: '' };
}

const exportsOf = memoizeByObject((_: DataContext) => new Map<string, DatasetExport>());

/** The export of a dataset. It is kept for each data service, so that it continues while another tab is open. */
export function exportOf(context: DataContext, { engine }: DatasetFiles, datasetId: string): DatasetExport {
  const exports = exportsOf(context);
  const known = exports.get(datasetId) ?? new DatasetExport(context, engine);
  exports.set(datasetId, known);
  return known;
}
