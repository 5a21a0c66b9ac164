import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import packageJson from '../../../package.json' with { type: 'json' };
import type { LiteRtFactory } from '../litert/litert-bindings.ts';
import { openLiteRtSession, startLiteRt, type LiteRtModule } from '../litert/litert-session.ts';
import { hasRelaxedSimd } from '../litert/relaxed-simd.ts';
import type { NamedSession } from '../ports/inference-runtime.ts';

let started: Promise<LiteRtModule> | undefined;

/** Compiles a .tflite model with LiteRT's WASM build, the one that the browser runs. @throws InferenceError, ModelError */
export async function openLiteRt(model: Uint8Array): Promise<NamedSession> {
  const session = await openLiteRtSession(await (started ??= start()), model);
  return { ...session, runtime: `LiteRT ${packageJson.dependencies['@litertjs/core']}, WASM` };
}

async function start(): Promise<LiteRtModule> {
  const require = createRequire(import.meta.url);
  const folder = join(dirname(require.resolve('@litertjs/core/package.json')), 'wasm');
  const file = join(folder, `litert_wasm${hasRelaxedSimd() ? '' : '_compat'}_internal.js`);
  // A CommonJS script in a package that says of itself that all its scripts are modules: it is compiled as what it is.
  const script = compileFunction(
    await readFile(file, 'utf8'),
    ['module', 'exports', 'require', '__dirname', '__filename'],
    { filename: file },
  ) as (...given: readonly unknown[]) => void;
  const module: { exports: unknown } = { exports: {} };
  script(module, module.exports, require, folder, file);
  return startLiteRt(module.exports as LiteRtFactory, 1);
}
