import { expect, it } from 'vitest';
import { linkPretended } from '../../../../tests/live-machine-fixture.ts';
import { memoryKeys } from '../../../../tests/memory-keys.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import { LinkError } from '../../../remote/live-machine/link-error.ts';
import type { LiveMachine } from '../../../remote/live-machine/live-machine.ts';
import { ConfigState } from '../config/config-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';
import { ProofState } from './proof-state.svelte.ts';

/** A machine whose frames are shown, and a proof over none of them. */
async function shown(changes: Partial<LiveMachine> = {}) {
  const live = { ...linkPretended({}), ...changes };
  const port = { pageUrl: 'http://localhost/', open: async () => live, keys: async () => memoryKeys().keys };
  const machine = new LiveMachineState(port, memoryStorage());
  machine.address = 'robot';
  await machine.connect(null);
  let started = 0;
  const follow = () => machine.follow(() => new Promise(() => {}));
  const startMachine = async (): Promise<void> => void started++;
  const proof = new ProofState({
    session: {} as SessionState,
    sources: { kind: 'machine', machine, startMachine } as unknown as SourcesState,
    rule: () => ({ defaultMinimumConfidence: 0, labelConfidences: {} }),
    model: () => null,
    config: new ConfigState(),
  });
  const prove = () => proof.prove(0, new AbortController().signal);
  return { machine, follow, prove, started: () => started };
}

it('shows the machine’s frames again afterwards, if they were shown', async () => {
  const { machine, follow, prove, started } = await shown();
  await prove();
  expect(started()).toBe(0);
  await follow();
  await prove();
  expect([started(), machine.isFollowing]).toEqual([1, false]);
});

it('shows them again where the service fails, and leaves a machine alone that is lost or was left', async () => {
  const failing = (code: 'failed' | 'no-answer') => ({
    answerTo: () => Promise.reject(new LinkError(code, 'no', '')),
    captureAll: () => Promise.reject(new LinkError(code, 'no', '')),
  });
  for (const [code, times] of [
    ['failed', 1],
    ['no-answer', 0],
  ] as const) {
    // prettier-ignore
    const { machine, prove, started } = await shown();
    await machine.follow(() => new Promise(() => {}));
    Object.assign(machine.machine!, failing(code));
    await expect(prove()).rejects.toMatchObject({ code });
    expect(started()).toBe(times);
  }
  const left = await shown();
  await left.follow();
  const proven = left.prove();
  left.machine.disconnect();
  await proven;
  expect(left.started()).toBe(0);
});
