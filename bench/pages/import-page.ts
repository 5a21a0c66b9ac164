/** The globals that `import-files.ts` adds to its page. */
export interface ImportPage {
  /** Creates pictures and sets them as the files of the app's import button, without its change event. */
  pickPictures(count: number): Promise<void>;
  /** Dispatches the change event, and waits until the pictures are imported. */
  importPicked(): Promise<{
    readonly perSecond: number;
    /** the longest time between two frames */
    readonly longestFrameMs: number;
    readonly medianFrameMs: number;
  }>;
  /** Hashes pictures and puts them with idb with the same durability; returns pictures per second. */
  putPictures(count: number): Promise<number>;
}
