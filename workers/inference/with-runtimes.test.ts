import { expect, it } from 'vitest';
import type { InferenceRuntime, ModelRuntime } from '../../src/platform/ports/inference-runtime.ts';
import type { InferenceSession } from '../../src/machine/vision/inference/inference-session.ts';
import { withRuntimes } from './with-runtimes.ts';

const session = (name: string): InferenceSession => ({
  inputs: [{ name, dtype: 'uint8', shape: [], symbols: [] }],
  outputs: [],
  run: () => Promise.resolve({}),
  release: () => Promise.resolve(),
});
const capabilities = {
  crossOriginIsolated: false,
  sharesMemory: false,
  wasmThreads: 1,
  webgpu: { available: false, adapter: '', emulated: false, reason: 'No GPU.' },
};
const main: InferenceRuntime = {
  capabilities: () => Promise.resolve(capabilities),
  open: (_, backend) => Promise.resolve(session(`main on ${backend}`)),
  onGpuLost: () => undefined,
};
const ofSevens: ModelRuntime = {
  takes: ([first]) => first === 7,
  open: (_, backend) => Promise.resolve(session(`sevens on ${backend}`)),
};

it('opens a model with the runtime that takes it', async () => {
  const runtime = withRuntimes(main, [ofSevens]);
  const opened = async (...bytes: number[]) => (await runtime.open(Uint8Array.from(bytes), 'wasm')).inputs[0]!.name;
  expect([await opened(7, 1), await opened(8)]).toEqual(['sevens on wasm', 'main on wasm']);
  expect(await runtime.capabilities()).toBe(capabilities);
});
