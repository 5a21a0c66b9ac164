import { expect, it } from 'vitest';
import { createIdbBackendDecisions } from '../../src/platform/browser/indexed-db/idb-backend-decisions.ts';
import type { BackendDecision, KeptAdmission } from '../../src/platform/ports/backend-decisions.ts';

const decision = (sha256: string, adapter: string, backend: BackendDecision['backend']): BackendDecision => ({
  sha256,
  adapter,
  runtime: '1.30',
  backend,
  wasmMs: 40,
  webgpuMs: 10,
  largestDifference: 1e-6,
});

const admission = (sha256: string, adapter: string, fault: string): KeptAdmission => ({
  sha256,
  adapter,
  fault,
  decidedAtMs: 1000,
  frameName: 'cat.jpg',
  widthPx: 64,
  heightPx: 48,
  runtime: '1.30',
});

it('keeps the last admission of a model on each adapter, until it is forgotten', async () => {
  const decisions = createIdbBackendDecisions(`decisions-${crypto.randomUUID()}`);
  await decisions.keepAdmission(admission('a', 'one', ''));
  await decisions.keepAdmission(admission('a', 'one', 'Other boxes.'));
  await decisions.keepAdmission(admission('b', 'one', ''));
  expect(await decisions.admissionsOf('a')).toEqual([admission('a', 'one', 'Other boxes.')]);
  await decisions.keep(decision('a', 'one', 'wasm'));
  await decisions.forget('a');
  expect([await decisions.admissionsOf('a'), await decisions.of('a')]).toEqual([[], []]);
  expect(await decisions.admissionsOf('b')).toHaveLength(1);
});

it('keeps what the version before kept', async () => {
  const name = `decisions-${crypto.randomUUID()}`;
  await new Promise<void>((resolve) => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => {
      const store = opening.result.createObjectStore('decisions', { keyPath: ['sha256', 'adapter'] });
      store.createIndex('model', 'sha256');
      store.put(decision('a', 'one', 'wasm'));
    };
    opening.onsuccess = () => resolve(opening.result.close());
  });
  const decisions = createIdbBackendDecisions(name);
  expect(await decisions.of('a')).toEqual([decision('a', 'one', 'wasm')]);
  expect(await decisions.admissionsOf('a')).toEqual([]);
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
