/** A file of rows, and how long it took. */
export interface WrittenFile {
  readonly ms: number;
  readonly bytes: number;
}
