/** What `stored-images.ts` adds to the page that runs it. */
export interface StoredImagesPage {
  /** Fills the data of this origin with images a second apart. */
  fillImages(count: number): Promise<void>;
  /** Scrolls the grid for five seconds, so many pixels a frame, there and back at the ends. */
  scrollImages(pxPerFrame: number): Promise<{ readonly longestMs: number; readonly medianMs: number }>;
}
