import { expect, it } from 'vitest';
import { linkPretended } from '../../../../tests/live-machine-fixture.ts';
import { memoryKeys } from '../../../../tests/memory-keys.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import type { LiveMachine } from '../../../remote/live-machine/live-machine.ts';
import type { Proof } from '../../../remote/live-machine/prove-frames.ts';
import { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';
import type { ProofState } from '../machine-check/proof-state.svelte.ts';
import type { ReadConfig } from './ask-doubt.ts';
import { watchMachine } from './watch-machine.ts';

const proven: Proof = {
  frames: 10,
  changes: 1,
  counts: { equal: 10, 'scores-differ': 0, rounding: 0, differs: 0 },
  apart: 0,
  rows: 0,
  largestScoreDifference: 0,
  examples: [],
  samples: [],
  steps: null,
  reasons: [],
};

const read: ReadConfig = { partId: null, text: '{"services": [{"name": "v"}]}' };

/** A machine that builds service "v" anew each time that it is asked how it is. */
async function watched(prove: ProofState['prove'], changes: Partial<LiveMachine> = {}) {
  let asked = 0;
  const health: LiveMachine['health'] = async () => ({
    isRunning: true,
    revision: '',
    resources: [{ api: 'rdk:service:vision', name: 'v', isReady: true, updatedAtMs: ++asked, revision: '', error: '' }],
  });
  const live = { ...linkPretended({}), health, ...changes };
  const port = { pageUrl: 'http://localhost/', open: async () => live, keys: async () => memoryKeys().keys };
  const machine = new LiveMachineState(port, memoryStorage());
  machine.address = 'robot';
  await machine.connect(null);
  const place = { machine, proof: { prove } as ProofState };
  const said: string[] = [];
  return {
    machine,
    said,
    hear: async (isOnBench = true, of = read) =>
      (await watchMachine(place, { resources: ['v'], isOnBench, read: of }))!(
        new AbortController().signal,
        (doing) => void said.push(doing),
      ),
  };
}

it('hears that the machine has it, and proves it on ten frames', async () => {
  const { hear, said } = await watched(async (frames, _, onProgress) => {
    onProgress?.({ ...proven, frames: 3 });
    return { ...proven, frames };
  });
  expect(await hear()).toEqual({
    isWell: true,
    words: 'The machine has it: “v” is ready. Equal on 10 frames (1 picture, 0 rows).',
  });
  expect(said).toEqual([
    expect.stringMatching(/^Waiting until robot:8080 has it/),
    expect.stringMatching(/proven on 10 frames/),
    expect.stringMatching(/Frame 3 of 10/),
  ]);
});

it('compares nothing where the bench runs another configuration', async () => {
  const { hear } = await watched(() => Promise.reject(new Error('asked')));
  expect(await hear(false)).toEqual({ isWell: true, words: 'The machine has it: “v” is ready.' });
});

it('keeps what the machine said where the proof fails', async () => {
  const { hear } = await watched(() => Promise.reject(new Error('The model is gone.')));
  expect(await hear()).toEqual({
    isWell: false,
    words: 'The machine has it: “v” is ready. It was not proven on frames: The model is gone.',
  });
});

it('warns before it waits, proves and says how it is where another machine may be connected', async () => {
  const { hear, said } = await watched(async () => proven);
  const doubt =
    'robot:8080 may be another machine: it does not have “w”, and it has “v”, which this configuration does not.';
  const heard = await hear(true, { partId: null, text: '{"services": [{"name": "w"}]}' });
  expect(said.length).toBeGreaterThan(1);
  for (const words of [...said, heard.words]) expect(words.startsWith(`${doubt} `), words).toBe(true);
  expect(heard.isWell).toBe(false);
  expect(await hear(true, { ...read, text: '{"services": [{"name": "w"}], "fragments": ["f"]}' })).toMatchObject({
    isWell: false,
    words: expect.stringContaining('it does not have “w”.'),
  });
});

it('asks nothing of a machine that is another one', async () => {
  const { hear, said } = await watched(() => Promise.reject(new Error('asked')), { partId: async () => 'p2' });
  expect(await hear(true, { ...read, partId: 'p1' })).toEqual({
    isWell: false,
    words:
      'robot:8080 is another machine: it is part p2, and this is the configuration of part p1. It was not asked whether it has what was written.',
  });
  expect(said).toEqual([]);
});

it('warns where it cannot be known', async () => {
  const partId = () => Promise.reject(new Error('It is gone.'));
  const { hear } = await watched(async () => proven, { partId });
  expect(await hear()).toMatchObject({
    isWell: false,
    words: expect.stringMatching(
      /^It is not known whether robot:8080 is the machine of this configuration: It is gone\./,
    ),
  });
});

it('asks no machine that is not there, or of which nothing is built anew', async () => {
  const { machine } = await watched(async () => proven);
  const place = { machine, proof: {} as ProofState };
  expect(await watchMachine(place, { resources: [], isOnBench: true, read })).toBeNull();
  machine.disconnect();
  expect(await watchMachine(place, { resources: ['v'], isOnBench: true, read })).toBeNull();
});
