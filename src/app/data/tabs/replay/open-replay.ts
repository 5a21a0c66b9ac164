import { memoizeByObject } from '../../../../schedule/memoize-by-object.ts';
import { openMemory } from '../../../kit/memory/remembered.ts';
import type { DataContext } from '../../context/data-context.ts';
import { replaySource } from './replay-source.ts';
import { ReplayState } from './replay-state.svelte.ts';

/** The replay of a data service. It stays while other tabs are looked at. */
export const replayOf = memoizeByObject(
  (context: DataContext) =>
    new ReplayState({
      context,
      source: replaySource(context),
      openEngine: context.openReplay,
      memory: openMemory(() => localStorage),
    }),
);
