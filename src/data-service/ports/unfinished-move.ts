/** Which move fills a place. */
export interface MoveMark {
  /** tells the installation that is moved from others */
  readonly installation: string;
  /** where the bytes of files go: nobody knows what is at another place */
  readonly blobs: string;
}

/** What a place that is moved into remembers until it is whole. */
export interface UnfinishedMove {
  /** null: no move is unfinished */
  read(): Promise<MoveMark | null>;
  write(mark: MoveMark | null): Promise<void>;
}
