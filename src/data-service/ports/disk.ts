/** The disk with the host's data. */
export interface Disk {
  /** number of bytes that this process may still write */
  freeBytes(): Promise<number>;
  /** bytes that the rows take, without the reusable space within the database */
  databaseBytes(): Promise<number>;
  /** Reserves some space while there is plenty: deleting needs space too, and a full disk has none. */
  holdReserve(): Promise<void>;
  /** Frees the reserve; false: there is none. */
  giveReserve(): Promise<boolean>;
}
