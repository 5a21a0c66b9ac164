import type { NamedFile } from '../../../../ports/named-file.ts';
import { errorMessage } from '../../../../vision/error-words.ts';
import type { DataContext } from '../../context/data-context.ts';
import { memoizeByObject } from '../../../../schedule/memoize-by-object.ts';
import { importKind } from './import-kind.ts';
import { ImportQueue } from './import-queue.svelte.ts';
import { readRows, type RowsTable } from './read-rows.ts';
import { uploadFile } from './upload-file.ts';
import { uploadRows, type RowsPlan } from './upload-rows.ts';

/** A file that may be a table: it is asked about before anything is sent. */
export interface AskedFile {
  readonly file: File;
  readonly table: RowsTable | null;
  /** why it is no table */
  readonly trouble: string;
}

/** A text of more is stored as a file: as a table it would fill the memory. */
const mostTableBytes = 100e6;
/** What systems leave in folders is nobody's data. */
const leftBySystems = /^(\.DS_Store|Thumbs\.db|desktop\.ini)$/i;

type TakeAnnotations = DataContext['takeAnnotations'];

/** Takes files in: tables are previewed one after the other, all else is on its way at once. */
export class ImportIntake {
  readonly queue: ImportQueue;
  readonly #takeAnnotations: TakeAnnotations;
  #asked = $state.raw<readonly AskedFile[]>([]);

  constructor(queue: ImportQueue, takeAnnotations: TakeAnnotations) {
    this.queue = queue;
    this.#takeAnnotations = takeAnnotations;
  }

  /** The table that a person is asked about now. */
  get asked(): AskedFile | null {
    return this.#asked[0] ?? null;
  }

  get askedCount(): number {
    return this.#asked.length;
  }

  async take(given: readonly NamedFile[]): Promise<void> {
    const named = given.filter(({ file }) => !leftBySystems.test(file.name));
    const others = await this.#takeAnnotations(named).catch(() => named);
    const files = others.map(({ file }) => file);
    const isTable = (file: File): boolean => importKind(file.name) === 'rows' && file.size <= mostTableBytes;
    this.queue.add(files.filter((file) => !isTable(file)).map((file) => ({ file, plan: null })));
    for (const file of files.filter(isTable)) {
      this.#asked = [...this.#asked, await readAskedFile(file)];
    }
  }

  /** Answers for the table that is asked about: as readings, as a file, or not at all. */
  answer(plan: RowsPlan | 'as-file' | 'skip'): void {
    const [asked, ...others] = this.#asked;
    if (!asked) return;
    this.#asked = others;
    if (plan !== 'skip') this.queue.add([{ file: asked.file, plan: plan === 'as-file' ? null : plan }]);
  }
}

async function readAskedFile(file: File): Promise<AskedFile> {
  try {
    return { file, table: readRows(await file.text(), file.name), trouble: '' };
  } catch (error) {
    return { file, table: null, trouble: errorMessage(error) };
  }
}

/** What is imported into a data service: one for all tabs. */
export const importsOf = memoizeByObject(
  (context: DataContext) =>
    new ImportIntake(
      new ImportQueue({
        uploadFile: (file, options) => uploadFile(context, file, { ...options, tags: [] }),
        uploadRows: (file, plan, options) => uploadRows(context, file, plan, options),
        announce: (sentence) => context.announce(sentence),
        later: (run, ms) => setTimeout(run, ms),
      }),
      (files) => context.takeAnnotations(files),
    ),
);
