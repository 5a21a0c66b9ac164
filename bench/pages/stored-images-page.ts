/** The globals that `stored-images.ts` adds to its page. */
export interface StoredImagesPage {
  /** Stores images with times a second apart in this origin's data. */
  fillImages(count: number): Promise<void>;
  /** Scrolls the grid for five seconds by a number of pixels per frame, and reverses at the ends. */
  scrollImages(pxPerFrame: number): Promise<{ readonly longestMs: number; readonly medianMs: number }>;
}
