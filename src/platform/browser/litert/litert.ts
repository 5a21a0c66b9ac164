import compatScript from '@litertjs/core/wasm/litert_wasm_compat_internal.js?url';
import compatWasm from '@litertjs/core/wasm/litert_wasm_compat_internal.wasm?url';
import plainScript from '@litertjs/core/wasm/litert_wasm_internal.js?url';
import plainWasm from '@litertjs/core/wasm/litert_wasm_internal.wasm?url';
import threadedScript from '@litertjs/core/wasm/litert_wasm_threaded_internal.js?url';
import threadedWasm from '@litertjs/core/wasm/litert_wasm_threaded_internal.wasm?url';
import type { ModelRuntime } from '../../ports/inference-runtime.ts';
import { isTflite } from '../../../models/tflite/read-tflite.ts';
import { InferenceError } from '../../../machine/vision/face/errors.ts';
import type { LiteRtFactory } from '../../litert/litert-bindings.ts';
import { hasRelaxedSimd } from '../../litert/relaxed-simd.ts';
import { once } from '../../../base/schedule/once.ts';
import { wasmThreads } from '../wasm/wasm-threads.ts';

/** A build of LiteRT: its loader, and the WebAssembly that this fetches; both lie beside the page's other files. */
interface Build {
  readonly script: string;
  readonly wasm: string;
}

let attempts = 0;

/** LiteRT in this worker, loaded with the first .tflite model: on the CPU, with threads where the page is isolated. */
export function createLiteRt(threads = wasmThreads()): ModelRuntime {
  const start = once(async () => {
    const { script, wasm } = chooseBuild(threads);
    const options = { locateFile: () => wasm, mainScriptUrlOrBlob: script };
    const { startLiteRt } = await fetched(import('../../litert/litert-session.ts'));
    return startLiteRt(await loadFactory(script), hasRelaxedSimd() ? threads : 1, options);
  });
  return {
    takes: isTflite,
    async open(model, backend) {
      if (backend === 'webgpu')
        throw new InferenceError('runtime', 'TensorFlow Lite models run on the CPU here, as on the machine.');
      const [module, { openLiteRtSession }] = await Promise.all([
        start(),
        fetched(import('../../litert/litert-session.ts')),
      ]);
      return openLiteRtSession(module, model);
    },
  };
}

/** Waits for a part that the page does not keep for a time without a network: most never open such a model. */
const fetched = <T>(part: Promise<T>): Promise<T> =>
  part.catch((cause: unknown) => {
    const message =
      'What runs TensorFlow Lite models could not be fetched. Check the connection, then open the model again.';
    throw new InferenceError('runtime', message, { cause });
  });

function chooseBuild(threads: number): Build {
  const build = (script: string, wasm: string): Build => {
    const absolute = (url: string) => new URL(url, globalThis.location.href).href;
    return { script: absolute(script), wasm: absolute(wasm) };
  };
  if (!hasRelaxedSimd()) return build(compatScript, compatWasm);
  return threads > 1 ? build(threadedScript, threadedWasm) : build(plainScript, plainWasm);
}

/**
 * The loader is a script for pages, classic workers and AMD. In a worker of modules only the last gives it out: to a
 * `define` that it finds in the global scope.
 */
async function loadFactory(script: string): Promise<LiteRtFactory> {
  const scope = globalThis as { define?: unknown };
  const found: LiteRtFactory[] = [];
  scope.define = Object.assign((_: unknown, make: () => LiteRtFactory) => found.push(make()), { amd: true });
  try {
    // A module runs once: every attempt asks for it under another name.
    await fetched(import(/* @vite-ignore */ `${script}?${++attempts}`));
  } finally {
    delete scope.define;
  }
  const [factory] = found;
  if (!factory) throw new InferenceError('runtime', `LiteRT's loader at ${script} gave nothing. Reload the page.`);
  return factory;
}
