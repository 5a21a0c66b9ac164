import type { InferenceRuntime, Capabilities } from '../../ports/inference-runtime.ts';
import { InferenceError } from '../../../machine/vision/face/errors.ts';
import { openOrtSession } from '../../onnxruntime/onnxruntime-session.ts';
import { once } from '../../../base/schedule/once.ts';
import { openWebGpuSession, type SharedGpu } from './webgpu-session.ts';
import { sharesMemory } from '../wasm/shares-memory.ts';
import { wasmThreads } from '../wasm/wasm-threads.ts';
import { checkShaders } from '../webgpu/check-shaders.ts';
import { WebGpuDevice } from '../webgpu/webgpu-device.ts';
import { WebGpuError } from '../webgpu/webgpu-error.ts';
import { WebGpuFrames } from '../webgpu/webgpu-frames.ts';
import { drawsPictures, WebGpuPictures } from '../webgpu/webgpu-pictures.ts';

/**
 * ONNX Runtime in this worker. Each backend has its own build and heap, loaded when first used: the plain WASM build is
 * half the size of the one with WebGPU, and faster on the CPU.
 */
export function createOnnxRuntime(threads = wasmThreads()): InferenceRuntime & {
  /** Starts the CPU build ahead of the first model: there are 14 MB to read and compile, and threads to start. */
  readonly prepare: () => Promise<void>;
  /** The script of the CPU build is here, and its WebAssembly file is not yet. */
  readonly isFetching: () => boolean;
} {
  const gpuLost = new Set<() => void>();
  let capabilities: Promise<Capabilities> | undefined;
  let hasScript = false;
  const wasmBuild = once(async () => {
    const ort = await import('onnxruntime-web/wasm');
    hasScript = true;
    ort.env.wasm.numThreads = threads; // heeded only before the first session
    return ort;
  });
  const webgpuBuild = once(async () => {
    const ort = await import('onnxruntime-web/webgpu');
    ort.env.wasm.numThreads = threads;
    return ort;
  });
  let preparing: Promise<void> | undefined;
  const openSmallest = async (): Promise<void> => {
    const model = Uint8Array.from(atob(smallestModel), (char) => char.charCodeAt(0));
    await (await openOrtSession(await wasmBuild(), model, { executionProviders: ['wasm'] })).release();
  };
  const canDraw = once(drawsPictures);

  /** One device for all models and frames. One that is lost is opened again with the next model. */
  const sharedGpu = once(async (): Promise<SharedGpu> => {
    const draws = await canDraw(); // before there is a device that it could cost
    const gpu = await WebGpuDevice.open();
    gpu.lost.catch(() => {
      sharedGpu.forget();
      for (const listener of gpuLost) listener();
    });
    const pictures = draws ? await WebGpuPictures.open(gpu).catch(() => null) : null;
    const frames = new WebGpuFrames(gpu, pictures);
    return { gpu, frames, refusal: await checkShaders(frames) };
  });

  return {
    prepare: () => (preparing ??= openSmallest()),
    isFetching: () => hasScript && !performance.getEntriesByType('resource').some(({ name }) => name.endsWith('.wasm')),
    capabilities: () => (capabilities ??= probeCapabilities()),
    async open(model, backend) {
      if (backend === 'wasm') {
        await preparing?.catch(() => undefined); // one after the other: no model is open before this worker is told to run
        const options = { executionProviders: [backend], graphOptimizationLevel: 'all' } as const;
        return openOrtSession(await wasmBuild(), model, options);
      }
      try {
        const [ort, gpu] = await Promise.all([webgpuBuild(), sharedGpu()]);
        return await openWebGpuSession(ort, model, gpu);
      } catch (error) {
        throw error instanceof WebGpuError ? new InferenceError('runtime', error.message, { cause: error }) : error;
      }
    },
    onGpuLost(listener) {
      gpuLost.add(listener);
    },
  };
}

/** y = Identity(x), for a float32 x of one number (IR 8, opset 13), in base64: ONNX Runtime starts with its first session. */
const smallestModel =
  'CAg6cQokCgF4EhVzaWdodGdsYXNzL2lkZW50aXR5XzEiCElkZW50aXR5CiQKFXNpZ2h0Z2xhc3MvaWRlbnRpdHlfMRIBeSIISWRlbnRpdHkSAWdaDwoBeBIKCggIARIECgIIAWIPCgF5EgoKCAgBEgQKAggBQgIQDQ==';

async function probeCapabilities(): Promise<Capabilities> {
  return {
    crossOriginIsolated: globalThis.crossOriginIsolated,
    sharesMemory: sharesMemory(),
    wasmThreads: wasmThreads(),
    webgpu: await probeWebGpu(),
  };
}

async function probeWebGpu(): Promise<Capabilities['webgpu']> {
  const unavailable = (reason: string) => ({ available: false, adapter: '', emulated: false, reason });
  if (!navigator.gpu) {
    const cure = globalThis.isSecureContext ? 'This browser has no WebGPU.' : 'WebGPU needs https or localhost.';
    return unavailable(cure);
  }
  try {
    const adapter = await navigator.gpu.requestAdapter();
    if (!adapter) return unavailable('The browser offers no GPU adapter on this machine.');
    const { vendor, architecture, description, isFallbackAdapter } = adapter.info;
    return {
      available: true,
      adapter: description || [vendor, architecture].filter(Boolean).join(' '),
      emulated: Boolean(isFallbackAdapter), // younger than WebGPU itself
      reason: '',
    };
  } catch (error) {
    return unavailable(`The GPU adapter cannot be opened: ${(error as Error).message}`);
  }
}
