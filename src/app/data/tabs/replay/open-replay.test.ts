import { expect, it } from 'vitest';
import type { DataContext } from '../../context/data-context.ts';
import { replayOf } from './open-replay.ts';

it('keeps a replay for each data service, and cancels what another one is still reading', () => {
  const [here, there] = ['a', 'b'].map((organizationId) => ({ home: { organizationId } }) as DataContext) as [
    DataContext,
    DataContext,
  ];
  const abort = new AbortController();
  const state = replayOf(here);
  state.reading = { abort, progress: 0, frameCount: 0 };
  expect([replayOf(here), abort.signal.aborted]).toEqual([state, false]);
  expect(replayOf(there)).not.toBe(state);
  expect([replayOf(here), abort.signal.aborted, state.reading]).toEqual([state, true, null]);
});
