import type { DroppedFiles } from '../../../platform/ports/named-file.ts';
import type { FileOwners, Receipt } from './file-owners.ts';

/**
 * The only entrance for files: sorts dropped, pasted or chosen files, passes each to its owner, and reports the
 * result.
 */
export class FileIntake {
  readonly #owners: FileOwners;
  /** The result for the last files; null: not yet known, or read already. A model is listed once it runs. */
  receipt = $state.raw<Receipt | null>(null);
  #count = 0;

  constructor(owners: FileOwners) {
    this.#owners = owners;
  }

  dismiss(): void {
    this.receipt = null;
  }

  async takeTransfer(transfer: DataTransfer): Promise<void> {
    await this.#take(this.#owners.droppedFiles(transfer));
  }

  async takeFiles(files: readonly File[]): Promise<void> {
    const named = files.map((file) => ({ file, path: file.webkitRelativePath || file.name }));
    await this.#take(Promise.resolve({ files: named, unread: [] }));
  }

  async #take(given: Promise<DroppedFiles>): Promise<void> {
    const count = ++this.#count;
    this.receipt = null;
    given.catch(() => undefined); // it is awaited once what takes files is here
    const { takeFiles } = await import('./take-files.ts');
    await takeFiles(given, this.#owners, (receipt) => {
      // Later files have a receipt of their own.
      if (count === this.#count) this.receipt = receipt;
    });
  }
}
