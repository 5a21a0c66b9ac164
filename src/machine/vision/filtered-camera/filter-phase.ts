import { isCoolingDown, isInWindow, type FilterState } from './filter-step.ts';

/** What a filtered camera is at. */
export interface FilterPhase {
  /** `waiting`: the filter is asked. `window`: images around a trigger are kept. `cooldown`: nothing triggers. */
  readonly kind: 'waiting' | 'window' | 'cooldown';
  /** ms until it ends; of `waiting` 0 */
  readonly leftMs: number;
}

/**
 * Says whether a window or a cool-down is on.
 * @param state of `filterStart` or `filterStep`
 * @param timeMs the moment, on the clock of the events
 * @returns what it is at; the last moment of a window and of a cool-down is included
 * @example
 * import { filterStart } from './filter-step.ts';
 * const state = { ...filterStart(), fromMs: 0, tillMs: 2000, cooldownTillMs: 5000 };
 * [500, 2001, 5001].map((timeMs) => filterPhase(state, timeMs).kind); // => ['window', 'cooldown', 'waiting']
 * filterPhase(state, 500).leftMs; // => 1500
 */
export function filterPhase(state: FilterState<unknown>, timeMs: number): FilterPhase {
  if (isInWindow(state, timeMs)) return { kind: 'window', leftMs: state.tillMs - timeMs };
  if (isCoolingDown(state, timeMs)) return { kind: 'cooldown', leftMs: state.cooldownTillMs - timeMs };
  return { kind: 'waiting', leftMs: 0 };
}
