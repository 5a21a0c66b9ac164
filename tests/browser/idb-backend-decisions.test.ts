import { expect, it } from 'vitest';
import { createIdbBackendDecisions } from '../../src/platform/browser/indexed-db/idb-backend-decisions.ts';
import type { BackendDecision } from '../../src/platform/ports/backend-decisions.ts';

const decision = (sha256: string, adapter: string, backend: BackendDecision['backend']): BackendDecision => ({
  sha256,
  adapter,
  backend,
  wasmMs: 40,
  webgpuMs: 10,
  largestDifference: 1e-6,
});

it('keeps what was decided by model and adapter, the newest of each, until it is forgotten', async () => {
  const name = `decisions-${crypto.randomUUID()}`;
  const decisions = createIdbBackendDecisions(name);
  expect(await decisions.of('a')).toEqual([]);
  await decisions.keep(decision('a', 'one', 'wasm'));
  await decisions.keep(decision('a', 'one', 'webgpu'));
  await decisions.keep(decision('a', 'two', 'wasm'));
  await decisions.keep(decision('b', 'one', 'wasm'));
  const ofA = [decision('a', 'one', 'webgpu'), decision('a', 'two', 'wasm')];
  expect(await createIdbBackendDecisions(name).of('a')).toEqual(ofA);
  await decisions.forget('a');
  expect(await decisions.of('a')).toEqual([]);
  expect(await decisions.of('b')).toHaveLength(1);
});

it('knows nothing, and keeps nothing, where a database of a newer version is', async () => {
  const name = `decisions-${crypto.randomUUID()}`;
  await new Promise((resolve) => (indexedDB.open(name, 9).onsuccess = resolve));
  const decisions = createIdbBackendDecisions(name);
  await decisions.keep(decision('a', 'one', 'wasm'));
  await decisions.forget('a');
  expect(await decisions.of('a')).toEqual([]);
});
