import { expect, it } from 'vitest';
import { footageFrame, memoryFootageStore, runSetup } from '../../../../tests/footage-frames.ts';
import { findWholeRun } from './find-whole-run.ts';

const run = {
  id: 'one',
  fingerprint: 'clip',
  setup: runSetup,
  count: 2,
  last: { index: 1, timeMs: 100 },
  isWhole: true,
};

async function keptRun(also: Partial<typeof run> = {}) {
  const store = memoryFootageStore();
  await store.append({ ...run, ...also }, [footageFrame(0, []), footageFrame(1, [])]);
  return store;
}

it('finds the run of a service that is kept', async () => {
  const frames = await findWholeRun(await keptRun(), 'clip', runSetup);
  expect(frames?.count).toBe(2);
});

it.each([
  ['of other footage', {}, 'other', runSetup],
  ['that is not whole', { isWhole: false }, 'clip', runSetup],
  ['of another service', {}, 'clip', { ...runSetup, serviceName: 'people' }],
  ['under another configuration', {}, 'clip', { ...runSetup, configKey: 'e'.repeat(64) }],
])('finds none %s', async (_, also, fingerprint, setup) => {
  expect(await findWholeRun(await keptRun(also), fingerprint, setup)).toBeNull();
});
