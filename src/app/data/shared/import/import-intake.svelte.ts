import type { NamedFile } from '../../../../platform/ports/named-file.ts';
import { errorMessage } from '../../../../machine/vision/face/errors.ts';
import type { DataContext } from '../../context/data-context.ts';
import { memoizeByObject } from '../../../../base/schedule/memoize-by-object.ts';
import { importKind } from './import-kind.ts';
import { ImportQueue } from './import-queue.svelte.ts';
import { readRows, type RowsTable } from './read-rows.ts';
import { uploadFile } from './upload-file.ts';
import { uploadRows, type RowsPlan } from './upload-rows.ts';

/** A file that may be a table: a person decides before anything is sent. */
export interface AskedFile {
  readonly file: File;
  readonly table: RowsTable | null;
  /** why it cannot be read as a table */
  readonly trouble: string;
}

/** A larger text is stored as a file: as a table it would fill the memory. */
const mostTableBytes = 100e6;
/** Files that operating systems leave in folders are not data. */
const leftBySystems = /^(\.DS_Store|Thumbs\.db|desktop\.ini)$/i;

type TakeAnnotations = DataContext['takeAnnotations'];

/** Accepts files: tables are previewed one after the other, other files are imported at once. */
export class ImportIntake {
  readonly queue: ImportQueue;
  readonly #takeAnnotations: TakeAnnotations;
  #asked = $state.raw<readonly AskedFile[]>([]);

  constructor(queue: ImportQueue, takeAnnotations: TakeAnnotations) {
    this.queue = queue;
    this.#takeAnnotations = takeAnnotations;
  }

  /** The table that a person has to decide about now. */
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

  /** Decides about that table: as readings, as a file, or skipped. */
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

/** One intake for each data service and all tabs. */
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
