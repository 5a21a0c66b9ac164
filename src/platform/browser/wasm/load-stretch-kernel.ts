import sharedKernelUrl from '../../../../build/pixels-shared.wasm?url';
import kernelUrl from '../../../../build/pixels.wasm?url';
import { referenceStretchKernel, type StretchKernel } from '../../../machine/vision/face/feeding.ts';
import { WasmStretchKernel } from '../../kernel/wasm-kernel.ts';
import { sharesMemory } from './shares-memory.ts';

/** The WebAssembly kernel; where it cannot be had (no SIMD, a file that is missing) the reference, which is only slower. */
export async function loadStretchKernel(): Promise<StretchKernel & Pick<WasmStretchKernel, 'lend'>> {
  try {
    const isShared = sharesMemory(); // elsewhere no thread reads another's memory
    const response = await fetch(isShared ? sharedKernelUrl : kernelUrl);
    const module = await WebAssembly.compile(await response.arrayBuffer());
    return new WasmStretchKernel(module, referenceStretchKernel, isShared);
  } catch {
    return { ...referenceStretchKernel, lend: () => null };
  }
}
