import type { FeedingCure, FeedingPhase, FeedingTask, FoundFeeding } from '../../../../workers/feeding/client.ts';

/** A model of the bench, and how it is fed and read now. */
export interface BenchFeeding extends Omit<FeedingTask, 'pictures' | 'areIndependent'> {
  /** file name of the model */
  readonly modelName: string;
  /** the transform camera that the service looks through, whose steps a search leaves out; '': none */
  readonly stepsOf: string;
  /** equal while the model, its feeding and its camera's steps are */
  readonly key: string;
}

/** The bench, as far as what feeds its model goes. */
export interface FeedingBench {
  /**
   * The feeding in force; the model of the last visit is loaded first if necessary.
   * @throws ModelRunError
   */
  now(): Promise<BenchFeeding>;
  /** key of the feeding in force; '': no model is loaded */
  readonly key: string;
  /** Writes a cure in one undo step. Resolves to '', or to why it was not written. */
  write(cure: FeedingCure): Promise<string>;
  /** the cure that was written last, in words, as long as undo takes exactly that back; '': none */
  readonly written: string;
  /** Takes back the cure that was written last. */
  takeBack(): void;
}

/** Searches in a worker of its own. Rejects with the signal's reason when it aborts. */
export type MeasureFeeding = (
  task: FeedingTask,
  onProgress: (phase: FeedingPhase, fraction: number) => void,
  signal: AbortSignal,
) => Promise<FoundFeeding>;
