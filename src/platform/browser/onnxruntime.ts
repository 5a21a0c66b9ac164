import type * as Ort from 'onnxruntime-web';
import type { InferenceRuntime, Capabilities } from '../../ports/inference-runtime.ts';
import { InferenceError } from '../../vision/inference/inference-session.ts';
import { openOrtSession } from '../onnxruntime-session.ts';
import { once } from './once.ts';
import { wasmThreads } from './wasm-threads.ts';

/**
 * ONNX Runtime in this worker. Each backend has its own build and heap, loaded when first used: the plain WASM build is
 * half the size of the one with WebGPU, and faster on the CPU.
 */
export function createOnnxRuntime(): InferenceRuntime & {
  /** Starts the CPU build ahead of the first model: there are 14 MB to read and compile, and threads to start. */
  readonly prepare: () => Promise<void>;
} {
  const gpuLost = new Set<() => void>();
  let capabilities: Promise<Capabilities> | undefined;
  const wasmBuild = once(async () => {
    const ort = await import('onnxruntime-web/wasm');
    ort.env.wasm.numThreads = wasmThreads(); // heeded only before the first session
    return ort;
  });
  const webgpuBuild = once(async () => {
    const ort = await import('onnxruntime-web/webgpu');
    ort.env.wasm.numThreads = wasmThreads();
    return ort;
  });
  let isWatched = false;
  let isGpuLost = false;

  // ONNX Runtime opens one device for good: once that is lost, its build is of no use until the page is loaded again.
  async function watchDevice(ort: typeof Ort): Promise<void> {
    if (isWatched) return;
    isWatched = true;
    const device = (await ort.env.webgpu.device) as GPUDevice;
    void device.lost.then(() => {
      isGpuLost = true;
      for (const listener of gpuLost) listener();
    });
  }

  async function probe(): Promise<Capabilities> {
    const found = await (capabilities ??= probeCapabilities());
    if (!isGpuLost) return found;
    const reason = 'The GPU went away. Reload the page to use it again.';
    return { ...found, webgpu: { ...found.webgpu, available: false, reason } };
  }

  return {
    async prepare() {
      const ort = await wasmBuild();
      const model = Uint8Array.from(atob(smallestModel), (char) => char.charCodeAt(0));
      await (await openOrtSession(ort, model, { executionProviders: ['wasm'] })).release();
    },
    capabilities: probe,
    async open(model, backend) {
      if (backend === 'webgpu') {
        const { webgpu } = await probe();
        if (!webgpu.available) throw new InferenceError(isGpuLost ? 'device-lost' : 'runtime', webgpu.reason);
      }
      const ort = await (backend === 'webgpu' ? webgpuBuild : wasmBuild)();
      const session = await openOrtSession(ort, model, {
        executionProviders: [backend],
        graphOptimizationLevel: 'all',
      });
      if (backend === 'webgpu') await watchDevice(ort);
      return session;
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
