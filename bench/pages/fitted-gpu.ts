import { createOnnxRuntime } from '../../src/platform/browser/onnxruntime/onnxruntime.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';

interface Picture {
  readonly dtype: 'float32' | 'uint8';
  readonly shape: readonly number[];
  readonly url: string;
}

/** Runs a fitted detector on both backends, and returns the differences between their detections. */
async function measure(modelUrl: string, pictures: readonly Picture[]) {
  const runtime = createOnnxRuntime();
  const { webgpu } = await runtime.capabilities();
  if (!webgpu.available) throw new Error('There is no WebGPU in this browser.');
  const model = await bytesAt(modelUrl);
  const [cpu, gpu] = [await runtime.open(model.slice(), 'wasm'), await runtime.open(model, 'webgpu')];
  const differences = { rows: 0, otherClasses: 0, location: 0, score: 0 };
  for (const { dtype, shape, url } of pictures) {
    const { buffer } = await bytesAt(url);
    const image: Tensor =
      dtype === 'uint8'
        ? { dtype, shape, data: new Uint8Array(buffer) }
        : { dtype, shape, data: new Float32Array(buffer) };
    const [wanted, found] = [await cpu.run({ image }), await gpu.run({ image })];
    const of = (outputs: typeof wanted, name: string) => outputs[name]!.data as Float32Array;
    const furthest = (name: string) =>
      of(wanted, name).reduce((most, value, at) => Math.max(most, Math.abs(value - of(found, name)[at]!)), 0);
    differences.rows += of(wanted, 'score').filter((score) => score > 0).length;
    differences.otherClasses += of(wanted, 'category').filter(
      (value, at) => value !== of(found, 'category')[at],
    ).length;
    differences.location = Math.max(differences.location, furthest('location'));
    differences.score = Math.max(differences.score, furthest('score'));
  }
  await Promise.all([cpu.release(), gpu.release()]);
  return differences;
}

async function bytesAt(url: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await fetch(url)).arrayBuffer());
}

Object.assign(globalThis, { measure });
