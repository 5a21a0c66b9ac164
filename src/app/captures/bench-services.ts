import type { ServiceFilterRule } from '../../machine/vision/face/filters.ts';

/** A vision service of the bench's configuration, with its thresholds. */
export interface BenchService {
  readonly name: string;
  readonly rule: ServiceFilterRule;
}

/** The vision services of the configuration on the bench, for those that decide on thresholds elsewhere. It is reactive. */
export interface BenchServices {
  readonly all: readonly BenchService[];
  /** JSON of the configuration that runs. */
  readonly configText: string;
  /** The service whose thresholds a recorder's captures are to decide: the one that it copies, or itself; null: neither is there. */
  tunedBy(recorder: string): BenchService | null;
  /** Writes thresholds as one step of undo; false: the configuration cannot be read, and nothing is written. */
  write(service: string, rule: ServiceFilterRule): boolean;
}
