/** What `import-files.ts` adds to the page that runs it. */
export interface ImportPage {
  /** Picks so many pictures with the app's own button and waits until they are imported. */
  importPictures(count: number): Promise<{
    readonly perSecond: number;
    /** the longest time between two frames */
    readonly longestFrameMs: number;
    readonly medianFrameMs: number;
  }>;
  /** Hashes as many pictures and puts them with idb, as durable: pictures a second. */
  putPictures(count: number): Promise<number>;
}
