import { createRequire } from 'node:module';
import packageJson from '../../../package.json' with { type: 'json' };
import { errorMessage, InferenceError } from '../../machine/vision/face/errors.ts';
import { openOrtSession, type OrtBuild } from '../onnxruntime/onnxruntime-session.ts';
import type { NamedSession } from '../ports/inference-runtime.ts';
import { inferenceThreads } from './inference-threads.ts';

/** The native package, which is optional. */
export interface NativePackage {
  isThere(): boolean;
  /** @throws whatever reading it throws */
  version(): string;
  /** @throws whatever its binary throws, which may be of another system */
  load(): OrtBuild;
}

/** What came of looking for it; `why` is a sentence. */
export type FoundNative =
  | { readonly kind: 'usable'; readonly ort: OrtBuild; readonly version: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly why: string };

const require = createRequire(import.meta.url);
const installed: NativePackage = {
  isThere() {
    try {
      return require.resolve('onnxruntime-node') !== '';
    } catch {
      return false;
    }
  },
  version: () => (require('onnxruntime-node/package.json') as { readonly version: string }).version,
  load: () => require('onnxruntime-node') as OrtBuild,
};

const name = 'onnxruntime-node';
/** Both packages are of one release line, so that they run the same operators by the same rules: "1.30". */
const line = lineOf(packageJson.dependencies['onnxruntime-web']);

/** The command that installs a package that fits. */
export const installsNative = `npm install ${name}@~${line}.0`;

/** Looks for the native package, and loads it. One of another release line is not loaded. */
export function findNative(native: NativePackage = installed): FoundNative {
  if (!native.isThere()) return { kind: 'missing' };
  try {
    const version = native.version();
    if (lineOf(version) !== line)
      return { kind: 'unusable', why: `${name} ${version} is installed, and ${line} is wanted.` };
    return { kind: 'usable', ort: native.load(), version };
  } catch (error) {
    const [first = ''] = errorMessage(error).split('\n');
    return { kind: 'unusable', why: `${name} is installed, and does not load: ${first}` };
  }
}

/**
 * Compiles a model with the native build of ONNX Runtime.
 * @throws InferenceError; unsupported-dtype: the package cannot feed this model on this Node
 */
export async function openNativeSession(
  { ort, version }: Extract<FoundNative, { readonly kind: 'usable' }>,
  model: Uint8Array<ArrayBuffer>,
): Promise<NamedSession> {
  const session = await openOrtSession(ort, model, {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    intraOpNumThreads: inferenceThreads,
    interOpNumThreads: 1,
  });
  // Where the language has arrays of halves, the package takes neither these nor integers for them.
  if ('Float16Array' in globalThis && session.inputs.some(({ dtype }) => dtype === 'float16')) {
    await session.release();
    throw new InferenceError(
      'unsupported-dtype',
      `The model takes float16, which ${name} ${version} cannot be given on Node ${process.versions.node}: run it with --runtime wasm.`,
    );
  }
  return { ...session, runtime: `ONNX Runtime ${version}, native` };
}

function lineOf(version: string): string {
  return version.split('.', 2).join('.');
}
