import { readFile } from 'node:fs/promises';
import { WasmStretchKernel } from '../../platform/kernel/wasm-kernel.ts';
import { referenceStretchKernel, type StretchKernel } from '../../machine/vision/face/feeding.ts';

/** The WebAssembly kernel, equal to the reference bit for bit; in a checkout where it is not built the reference, which is only slower. */
export async function loadKernel(): Promise<StretchKernel> {
  try {
    const bytes = await readFile(new URL('../../../build/pixels.wasm', import.meta.url));
    return new WasmStretchKernel(await WebAssembly.compile(bytes), referenceStretchKernel);
  } catch {
    return referenceStretchKernel;
  }
}
