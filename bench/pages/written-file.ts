/** The size of a file of rows, and the time in which it was written. */
export interface WrittenFile {
  readonly ms: number;
  readonly bytes: number;
}
