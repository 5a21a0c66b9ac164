import { isTflite } from '../../models/tflite/read-tflite.ts';
import { InferenceError } from '../../machine/vision/face/errors.ts';
import type { NamedSession, SessionOpener, TerminalRuntime } from '../ports/inference-runtime.ts';
import { findNative, installsNative, openNativeSession, type FoundNative } from './native-onnxruntime.ts';

/** Compiles a model with the WASM build of its format's runtime, which is loaded with the first of its kind. @throws InferenceError, ModelError */
export async function openSession(model: Uint8Array<ArrayBuffer>): Promise<NamedSession> {
  if (isTflite(model)) return (await import('./litert.ts')).openLiteRt(model);
  return (await import('./onnxruntime.ts')).openNodeSession(model);
}

/** @param runtime what ran models, as a session says it; null or absent: nothing did, or it is not known */
export const isNative = (runtime: string | null | undefined): boolean => runtime?.includes(', native') ?? false;

/** The runtime that was asked for is not there. */
class RuntimeMissingError extends Error {
  override readonly name = 'RuntimeMissingError';
  readonly code = 'no-native-runtime';
}

/**
 * Opens models on the runtime that is chosen, and says once of each runtime that it runs them.
 *
 * @param choice null: native where its package is installed, else WASM; .tflite models run on LiteRT's WASM build anyway
 * @param say receives a sentence
 * @param find looks for the native package
 * @throws RuntimeMissingError where native is chosen and cannot be had
 */
export function sessionOpener(
  choice: TerminalRuntime | null,
  say: (text: string) => void,
  find: () => FoundNative = findNative,
): SessionOpener {
  let found: FoundNative | null = null;
  if (choice === 'native') {
    found = find();
    if (found.kind !== 'usable') throw missing(found);
  }
  const told = new Set<string>();
  const sayOnce = (text: string): void => {
    if (told.has(text)) return;
    told.add(text);
    say(text);
  };
  const openBest: SessionOpener['open'] = async (model) => {
    if (isTflite(model)) {
      if (choice === 'native') sayOnce('--runtime native is for .onnx models: LiteRT runs a .tflite model by WASM.');
      return openSession(model);
    }
    if (choice === 'wasm') return openSession(model);
    found ??= find();
    if (found.kind === 'unusable') sayOnce(`${found.why} ${mend}`);
    if (found.kind !== 'usable') return openSession(model);
    try {
      return await openNativeSession(found, model);
    } catch (error) {
      const mayRunElsewhere = error instanceof InferenceError && error.code === 'unsupported-dtype';
      if (choice === 'native' || !mayRunElsewhere) throw error;
      sayOnce(error.message);
      return openSession(model);
    }
  };
  const runtimes = new Set<string>();
  return {
    async open(model) {
      const session = await openBest(model);
      runtimes.add(session.runtime);
      sayOnce(`Runs on ${session.runtime}.`);
      return session;
    },
    get runtime() {
      return [...runtimes].join('; ') || null;
    },
  };
}

const mend = `Install one that fits beside sightglass (${installsNative}), or say --runtime wasm.`;

function missing(found: Exclude<FoundNative, { readonly kind: 'usable' }>): RuntimeMissingError {
  if (found.kind === 'unusable') return new RuntimeMissingError(`--runtime native: ${found.why} ${mend}`);
  return new RuntimeMissingError(`--runtime native: onnxruntime-node is not installed. ${mend}`);
}
