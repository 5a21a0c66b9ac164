import type { DefectLog } from '../../data-service/face/hosts.ts';
import { StoreError } from '../../data-service/face/stores.ts';

/** Passes defects on, and remembers what they say of the store: what is damaged does not mend itself. */
export class StoreHealth implements DefectLog {
  readonly #log: DefectLog;
  readonly #files = new Set<string>();
  #databaseReports = 0;
  #fileReports = 0;

  constructor(log: DefectLog) {
    this.#log = log;
  }

  report(error: unknown, context: { readonly operation: string }): void {
    if (error instanceof StoreError && error.code === 'damaged') {
      if (error.subject === '') this.#databaseReports++;
      else {
        this.#fileReports++;
        this.#files.add(error.subject);
      }
    }
    this.#log.report(error, context);
  }

  isDamaged(fileId: string): boolean {
    return this.#files.has(fileId);
  }

  /** A file that was reported is well again, or gone. */
  isWell(fileId: string): void {
    this.#files.delete(fileId);
  }

  /** Whether the database was found damaged since this process began. */
  get isDatabaseDamaged(): boolean {
    return this.#databaseReports > 0;
  }

  /** How often damage was met, by what is damaged. */
  get met(): { readonly database: number; readonly file: number } {
    return { database: this.#databaseReports, file: this.#fileReports };
  }

  /** How many files are known to be damaged. */
  get damagedFiles(): number {
    return this.#files.size;
  }

  /** The ids of the damaged files. */
  get damagedIds(): readonly string[] {
    return [...this.#files];
  }
}
