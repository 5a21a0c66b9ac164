/** The disk that a host keeps its data on. */
export interface Disk {
  /** what this process may still write, bytes */
  freeBytes(): Promise<number>;
  /** what the rows take of it, without the room within the database that can be written again, bytes */
  databaseBytes(): Promise<number>;
  /** Holds some room back, where there is plenty: deleting needs some, and on a full disk there is no other. */
  holdReserve(): Promise<void>;
  /** Gives that room up; false: there is none. */
  giveReserve(): Promise<boolean>;
}
