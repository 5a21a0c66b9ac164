import { byteWords } from '../../data-service/face/captures.ts';
import { type DataStore, StoreError } from '../../data-service/face/stores.ts';
import type { Disk } from '../../data-service/face/hosts.ts';
import { storedAmounts } from './stored-amounts.ts';

export interface RoomLimits {
  /** nothing more is stored while the disk has less free */
  readonly keepFreeBytes: number;
  /** most bytes of files and rows together; null: as much as the disk has */
  readonly budgetBytes: number | null;
}

export interface StorageFigures {
  readonly freeBytes: number;
  readonly databaseBytes: number;
  /** files and rows */
  readonly usedBytes: number;
}

export const defaultRoomLimits: RoomLimits = { keepFreeBytes: 256 * 2 ** 20, budgetBytes: null };

/** The disk is asked this often at most. */
const askAgainMs = 1000;

/** Whether there is room for more: on the disk, which others may fill too, and in the budget. */
export class StorageRoom {
  readonly limits: RoomLimits;
  readonly #disk: Disk;
  readonly #store: DataStore;
  readonly #nowMs: () => number;
  #asked: Promise<StorageFigures> | null = null;
  #askedMs = -Infinity;

  /** @param nowMs of any clock that only goes on */
  constructor(disk: Disk, store: DataStore, limits: RoomLimits, nowMs: () => number) {
    this.#disk = disk;
    this.#store = store;
    this.limits = limits;
    this.#nowMs = nowMs;
  }

  /** The figures as of now, or of a second ago at most. */
  figures(): Promise<StorageFigures> {
    if (this.#asked === null || this.#nowMs() - this.#askedMs >= askAgainMs) return this.look();
    return this.#asked;
  }

  /** The figures as of now. */
  look(): Promise<StorageFigures> {
    this.#askedMs = this.#nowMs();
    this.#asked = this.#ask();
    this.#asked.catch(() => (this.#asked = null));
    return this.#asked;
  }

  /** What keepers are told of a full disk; null: it is not full. */
  async fullDisk(): Promise<string | null> {
    const { freeBytes } = await this.figures();
    const { keepFreeBytes } = this.limits;
    if (freeBytes >= keepFreeBytes) return null;
    return `The disk of the data folder has ${byteWords(freeBytes)} left, of which ${byteWords(keepFreeBytes)} are kept free. Nothing more is stored until data is deleted or there is more disk; reading and deleting go on.`;
  }

  /** Why nothing more may be stored, as an error of code `resource-exhausted` in words; null: there is room. */
  async refusal(): Promise<StoreError | null> {
    const { usedBytes } = await this.figures();
    const { budgetBytes } = this.limits;
    const full =
      budgetBytes !== null && usedBytes >= budgetBytes
        ? `The data takes ${byteWords(usedBytes)}, and its budget is ${byteWords(budgetBytes)}. Nothing more is stored until data is deleted or the budget is raised.`
        : await this.fullDisk();
    return full === null ? null : new StoreError('resource-exhausted', full);
  }

  /** @throws StoreError `resource-exhausted`, in words, where nothing more may be stored */
  async require(): Promise<void> {
    const refusal = await this.refusal();
    if (refusal !== null) throw refusal;
  }

  async #ask(): Promise<StorageFigures> {
    const [freeBytes, databaseBytes] = await Promise.all([this.#disk.freeBytes(), this.#disk.databaseBytes()]);
    const stored = await storedAmounts(this.#store);
    const fileBytes = stored.reduce((sum, { files }) => sum + files.totalSizeBytes, 0);
    return { freeBytes, databaseBytes, usedBytes: databaseBytes + fileBytes };
  }
}
