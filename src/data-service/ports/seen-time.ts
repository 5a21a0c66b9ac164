import type { Micros } from './capture.ts';

/** The latest time that a host was seen at work by its own clock, kept beside its data. */
export interface SeenTime {
  /** null: nobody knows */
  read(): Promise<Micros | null>;
  write(time: Micros): Promise<void>;
}
