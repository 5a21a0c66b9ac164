import { expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { buildKernel } from '../../../scripts/build-kernel.ts';
import { WasmStretchKernel } from '../../platform/kernel/wasm-kernel.ts';
import { loadKernel } from './load-kernel.ts';

it('is the WebAssembly kernel, which the package has where the command line looks for it', async () => {
  await buildKernel();
  expect(await loadKernel()).toBeInstanceOf(WasmStretchKernel);
  expect(packageJson.files).toContain('build/pixels.wasm');
}, 60_000);
