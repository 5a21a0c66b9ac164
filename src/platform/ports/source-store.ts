// Port of the page to the pictures and the video that its visits had. Implemented in platform/browser, handed over by main.ts.

/** A picture or a video on the bench, as it was given. */
export interface VisitSource {
  /** the same wherever and as long as it is kept */
  readonly id: string;
  readonly kind: 'still' | 'video';
  readonly name: string;
  /** 0 = not known */
  readonly byteLength: number;
  /** in ms since 1970; those of one drop have the same */
  readonly cameAtMs: number;
}

/** How it is to be had: its copy, or the file where it lay, which the browser opens now or only when its user allows it again. */
export type Whereabouts = 'copy' | 'file' | 'file-on-request' | 'nowhere';

/** What one tab of the browser has on its bench, over its reloads. */
export interface Visit {
  readonly id: string;
  readonly sources: readonly VisitSource[];
}

export interface SourceCopy {
  readonly source: VisitSource;
  readonly content: Blob;
}

/** Every call may reject with a BrowserStoreError. */
export interface SourceStore {
  /** The sources of a visit, and how each is to be had; null = no such visit is kept. */
  find(visitId: string): Promise<readonly (VisitSource & { readonly whereabouts: Whereabouts })[] | null>;
  /** Puts a visit in the place of what it was. Copies that no visit has any more go. Resolves to the ids that have a copy. */
  write(visit: Visit): Promise<ReadonlySet<string>>;
  /** Takes away the oldest copies, but none of `spared`, until these and the others are `budgetBytes` at most. */
  makeRoom(spared: readonly VisitSource[], budgetBytes: number): Promise<void>;
  /** Keeps all of these copies or none. */
  keep(copies: readonly SourceCopy[]): Promise<void>;
  /** Notes where a file lies that has no copy; false where the browser does not say it. */
  point(id: string, content: Blob): Promise<boolean>;
  /** The copy, or the file where it lies; null where it is not to be had. */
  read(id: string): Promise<Blob | null>;
  /** Asks the browser's user to allow files again, after a click; resolves to the ids that may be read now. */
  request(ids: readonly string[]): Promise<ReadonlySet<string>>;
}
