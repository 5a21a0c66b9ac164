/** The sample photographs with their true boxes, as a dataset of this browser. */
export interface SampleSet {
  /** Stores them, unless they are there. Resolves to the id of the dataset. */
  add(): Promise<string>;
  /** Deletes what `add` stored, and nothing else. */
  remove(): Promise<void>;
}
