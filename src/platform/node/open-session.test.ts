import * as web from 'onnxruntime-web';
import { afterEach, describe, expect, it, vi } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { channelMeansClassifier } from '../../../tests/models.ts';
import { tfliteChannelMeans } from '../../../tests/tflite-models.ts';
import { findNative, type NativePackage } from './native-onnxruntime.ts';
import { isNative, sessionOpener } from './open-session.ts';

const webVersion = packageJson.dependencies['onnxruntime-web'];
const wasm = `ONNX Runtime ${webVersion}, WASM`;
const nativeWords = `ONNX Runtime ${webVersion}, native`;

/** A package of a version, or none; what it gives is the WASM build, or an error as the loader of its binary throws one. */
function packageOf(version: string | null, load: () => typeof web = () => web): NativePackage & { loads: number } {
  return {
    loads: 0,
    isThere: () => version !== null,
    version: () => version!,
    load() {
      this.loads++;
      return load();
    },
  };
}

function openerWith(choice: 'native' | 'wasm' | null, native: NativePackage) {
  const said: string[] = [];
  const sessions = sessionOpener(choice, (text) => said.push(text), () => findNative(native)); // prettier-ignore
  return { sessions, said };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('what runs models in a terminal', () => {
  it('is native where a package of the same line is installed, and says so once', async () => {
    const { sessions, said } = openerWith(null, packageOf(webVersion));
    expect(sessions.runtime).toBeNull();
    const first = await sessions.open(channelMeansClassifier());
    await sessions.open(channelMeansClassifier());
    expect([first.runtime, sessions.runtime, isNative(first.runtime)]).toEqual([nativeWords, nativeWords, true]);
    expect(said).toEqual([`Runs on ${nativeWords}.`]);
  });

  it('is WASM where none is installed, or where it is asked for', async () => {
    const installed = packageOf(webVersion);
    for (const { sessions, said } of [openerWith(null, packageOf(null)), openerWith('wasm', installed)]) {
      const { runtime } = await sessions.open(channelMeansClassifier());
      expect([runtime, isNative(runtime)]).toEqual([wasm, false]);
      expect(said).toEqual([`Runs on ${wasm}.`]);
    }
    expect(installed.loads).toBe(0);
  });

  it('names the command that installs what is asked for and missing', () => {
    expect(() => openerWith('native', packageOf(null))).toThrow(
      expect.objectContaining({
        code: 'no-native-runtime',
        message: expect.stringMatching(/is not installed\..*\(npm install onnxruntime-node@~\d+\.\d+\.0\)/),
      }),
    );
  });

  const isBroken = () => {
    throw new Error('libonnxruntime.so.1: wrong ELF class\nRequire stack:\n- index.js');
  };
  it.each([
    ['of another line', packageOf('1.2.3'), 'onnxruntime-node 1.2.3 is installed, and '],
    ['that does not load', packageOf(webVersion, isBroken), 'does not load: libonnxruntime.so.1: wrong ELF class '],
  ])('passes over a package %s in words, and refuses it where native is asked for', async (_, found, words) => {
    const { sessions, said } = openerWith(null, found);
    const { runtime } = await sessions.open(channelMeansClassifier());
    expect(runtime).toBe(wasm);
    expect(said).toEqual([expect.stringContaining(words), `Runs on ${wasm}.`]);
    expect(said[0]).toContain('npm install onnxruntime-node@~');
    expect(() => openerWith('native', found)).toThrow(words);
  });

  it('does not load a package of another line', async () => {
    const found = packageOf('1.2.3');
    await openerWith(null, found).sessions.open(channelMeansClassifier());
    expect(found.loads).toBe(0);
  });

  it('runs a .tflite model on LiteRT, and says so where native is asked for', async () => {
    const litert = `LiteRT ${packageJson.dependencies['@litertjs/core']}, WASM`;
    const { sessions, said } = openerWith('native', packageOf(webVersion));
    await sessions.open(tfliteChannelMeans());
    expect(said).toEqual([expect.stringContaining('--runtime native is for .onnx models'), `Runs on ${litert}.`]);
    await sessions.open(channelMeansClassifier());
    expect(sessions.runtime).toBe(`${litert}; ${nativeWords}`);
  });

  it('runs a model of float16 on WASM where the package cannot be given its input', async () => {
    const halves = channelMeansClassifier({ input: { dtype: 'float16' } });
    vi.stubGlobal('Float16Array', class {});
    const { sessions, said } = openerWith(null, packageOf(webVersion));
    expect((await sessions.open(halves)).runtime).toBe(wasm);
    expect(said[0]).toContain('--runtime wasm');
    await expect(openerWith('native', packageOf(webVersion)).sessions.open(halves)).rejects.toMatchObject({
      code: 'unsupported-dtype',
    });
    vi.stubGlobal('Float16Array', undefined);
    Reflect.deleteProperty(globalThis, 'Float16Array');
    expect((await openerWith(null, packageOf(webVersion)).sessions.open(halves)).runtime).toBe(nativeWords);
  });

  it('wants of the optional package the line of the one that comes along', () => {
    expect(packageJson.peerDependencies['onnxruntime-node']).toBe(`~${webVersion.replace(/\.\d+$/, '.0')}`);
    expect(packageJson.peerDependenciesMeta['onnxruntime-node']).toEqual({ optional: true });
  });
});
