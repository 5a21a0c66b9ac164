/** What `import-files.ts` adds to the page that runs it. */
export interface ImportPage {
  /** Makes so many pictures and gives them to the app's own button, which is not told yet. */
  pickPictures(count: number): Promise<void>;
  /** Tells the button, and waits until the pictures are imported. */
  importPicked(): Promise<{
    readonly perSecond: number;
    /** the longest time between two frames */
    readonly longestFrameMs: number;
    readonly medianFrameMs: number;
  }>;
  /** Hashes as many pictures and puts them with idb, as durable: pictures a second. */
  putPictures(count: number): Promise<number>;
}
