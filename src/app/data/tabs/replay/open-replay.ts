import { memoizeByObject } from '../../../../base/schedule/memoize-by-object.ts';
import { openMemory } from '../../../kit/memory/remembered.ts';
import type { DataContext } from '../../context/data-context.ts';
import { replaySource } from './replay-source.ts';
import { ReplayState } from './replay-state.svelte.ts';

const stateOf = memoizeByObject(
  (context: DataContext) =>
    new ReplayState({
      context,
      source: replaySource(context),
      openEngine: context.openReplay,
      memory: openMemory(() => localStorage),
    }),
);

let shown: ReplayState | null = null;

/**
 * The replay of a data service. It stays while other tabs are looked at; what another data service was still reading is
 * cancelled.
 */
export function replayOf(context: DataContext): ReplayState {
  const state = stateOf(context);
  if (shown !== state) shown?.cancel();
  shown = state;
  return state;
}
