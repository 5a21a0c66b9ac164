import type { Position } from './capture-filter.ts';
import type { Micros } from './stored-captures.ts';

/** A source of captures within a part: a component or service, and the method whose results were captured. */
export interface SequenceResource {
  readonly resourceName: string;
  readonly methodName: string;
}

/** A saved filter: what some resources of one part captured in a window of time. It holds no data itself. */
export interface Sequence {
  readonly id: string;
  readonly organizationId: string;
  readonly partId: string;
  readonly resources: readonly SequenceResource[];
  /** distinct, in the order of adding; they tag the sequence, not its captures */
  readonly tags: readonly string[];
  /** the first moment of the window */
  readonly start: Micros;
  /** the last moment of the window, which belongs to it; never before `start` */
  readonly end: Micros;
  readonly timeCreated: Micros;
  readonly timeUpdated: Micros;
  /** the datasets of sequences that it is a member of, in the order of adding */
  readonly datasetIds: readonly string[];
}

/** Which sequences are listed. */
export interface SequenceFilter {
  readonly organizationId: string;
  /** '': all of the organization; otherwise the members of this dataset */
  readonly datasetId: string;
}

/**
 * Makes the new state of a sequence from the present one, as `BinaryEdit` does for a file: a pure function that is called inside the
 * transaction. An error that it throws undoes the whole call. It must not change `id`, `organizationId` and `timeCreated`.
 */
export type SequenceEdit = (sequence: Sequence) => Sequence;

/** Saved filters over captures. Methods are atomic and durable. */
export interface SequenceStore {
  /** Adds a sequence, whose `datasetIds` are empty. One with this id: `already-exists`. */
  create(sequence: Sequence): Promise<void>;
  get(organizationId: string, id: string): Promise<Sequence | null>;
  /** Newest first, by time created, then id; up to `limit` beyond `after`. Fewer than `limit`: there are no more. */
  list(filter: SequenceFilter, after: Position | null, limit: number): Promise<readonly Sequence[]>;
  count(filter: SequenceFilter): Promise<number>;
  /**
   * Edits each sequence once (ids are distinct), all or nothing: the first id that the organization does not have is `not-found`, then
   * the first dataset that the edit adds and the organization does not have.
   */
  edit(organizationId: string, ids: readonly string[], edit: SequenceEdit): Promise<void>;
  /** `not-found`. */
  delete(organizationId: string, id: string): Promise<void>;
}

/** Where a sequence stands in a list. */
export const sequencePosition = ({ timeCreated, id }: Sequence): Position => ({ time: timeCreated, id });
