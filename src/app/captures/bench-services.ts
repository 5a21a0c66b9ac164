import type { FilterRule } from '../../machine/vision/filtered-camera/filter-rule.ts';
import type { ServiceFilterRule } from '../../machine/vision/filter/thresholds.ts';

/** A vision service of the bench's configuration, with its thresholds. */
export interface BenchService {
  readonly name: string;
  readonly rule: ServiceFilterRule;
}

/** A filtered camera of the bench's configuration that the machine builds. */
export interface BenchFilter {
  readonly name: string;
  readonly rule: FilterRule;
  /** how often the data manager asks it, a second; 0: it does not */
  readonly captureHz: number;
}

/** The vision services of the configuration on the bench, for those that decide on thresholds elsewhere. It is reactive. */
export interface BenchServices {
  readonly all: readonly BenchService[];
  /** The filtered cameras that the machine builds. */
  readonly filters: readonly BenchFilter[];
  /** The service whose thresholds a recorder's captures are to decide: the one that it copies, or itself; null: neither is there. */
  tunedBy(recorder: string): BenchService | null;
  /** Writes thresholds as one step of undo; false: the configuration cannot be read, and nothing is written. */
  write(service: string, rule: ServiceFilterRule): boolean;
}
