import type { Micros } from './stored-captures.ts';

/** The latest time at which a host was known to run, by its own clock; stored beside its data. */
export interface SeenTime {
  /** null: unknown */
  read(): Promise<Micros | null>;
  write(time: Micros): Promise<void>;
}
