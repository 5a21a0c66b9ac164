import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { buildKernel } from '../../../scripts/build-kernel.ts';
import { randomSource, randomYuvFrame } from '../../../tests/random-frame.ts';
import type { InputSpec } from '../../machine/vision/preprocess/input-spec.ts';
import { referenceStretchKernel } from '../../machine/vision/preprocess/preprocess.ts';
import { shrinkToRgba } from '../../machine/vision/yuv/shrink-yuv.ts';
import type { YuvFrame, YuvPlanes } from '../../machine/vision/yuv/yuv-frame.ts';
import { yuvToRgba } from '../../machine/vision/yuv/yuv-to-rgba.ts';
import { WasmStretchKernel } from './wasm-kernel.ts';

let module: WebAssembly.Module;
let unsharedModule: WebAssembly.Module;

beforeAll(async () => {
  await buildKernel();
  const compiled = async (file: URL) => WebAssembly.compile(await readFile(file));
  module = await compiled(new URL('../../../build/pixels-shared.wasm', import.meta.url));
  unsharedModule = await compiled(new URL('../../../build/pixels.wasm', import.meta.url));
}, 60_000);

const open = () => {
  const kernel = new WasmStretchKernel(module, referenceStretchKernel, true);
  return { kernel, memory: kernel.planesMemory! };
};

const spec: InputSpec = {
  tensorName: 'image',
  dtype: 'float32',
  layout: 'nchw',
  widthPx: 64,
  heightPx: 48,
  bgr: false,
  mean: [0.485, 0.456, 0.406],
  stdDev: [0.229, 0.224, 0.225],
};

const bitsOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => Buffer.from(buffer, byteOffset, byteLength);

/** The same frame, its planes in a kernel's memory. */
function inKernel(frame: YuvFrame, planes: YuvPlanes['planes'] | null): YuvFrame {
  planes!.set(frame.planes);
  return { ...frame, planes: planes! };
}

describe('planes in the kernel’s memory', () => {
  it('give what the reference gives, of any size, beside jobs, lent tensors and each other', () => {
    const { kernel, memory } = open();
    const random = randomSource(20261123);
    const upTo = (limit: number) => 1 + Math.floor(random() * limit);
    const held: { readonly frame: YuvFrame; readonly kept: YuvFrame }[] = [];
    const lent: { readonly data: ArrayBufferView; readonly expected: Buffer; readonly giveBack: () => void }[] = [];
    for (let round = 0; round < 200; round++) {
      if (held.length === 6) memory.give(held.shift()!.kept.planes);
      const longest = random() < 0.1 ? 400 : 60;
      const frame = randomYuvFrame(random, random() < 0.5 ? 'i420' : 'nv12', upTo(longest), upTo(longest));
      held.push({ frame, kept: inKernel(frame, memory.take(frame.planes.length)) });
      const { frame: own, kept } = held[Math.floor(random() * held.length)]!;
      const size = { widthPx: upTo(80), heightPx: upTo(80) };
      const tensor = kernel.stretchToTensor(kept, { ...spec, ...size });
      const expected = bitsOf(referenceStretchKernel.stretchToTensor(own, { ...spec, ...size }).data);
      expect(bitsOf(tensor.data).equals(expected), `round ${round}`).toBe(true);
      const giveBack = kernel.lend(tensor.data);
      if (giveBack) lent.push({ data: tensor.data, expected, giveBack }); // none where the kernel asked the reference
      if (lent.length > 3) {
        const oldest = lent.shift()!;
        expect(bitsOf(oldest.data).equals(oldest.expected), `lent before round ${round}`).toBe(true);
        oldest.giveBack();
      }
      const [colours, expectedColours] = [0, 0].map(() => new Uint8ClampedArray(4 * own.widthPx * own.heightPx));
      kernel.toRgba(kept, colours!);
      yuvToRgba(own, expectedColours!);
      expect(bitsOf(colours!).equals(bitsOf(expectedColours!))).toBe(true);
      const smaller = { widthPx: Math.ceil(own.widthPx / 3), heightPx: Math.ceil(own.heightPx / 3) };
      const [shrunk, expectedShrunk] = [0, 0].map(() => new Uint8ClampedArray(4 * smaller.widthPx * smaller.heightPx));
      kernel.shrinkToRgba(kept, smaller, shrunk!);
      shrinkToRgba(own, smaller, expectedShrunk!);
      expect(bitsOf(shrunk!).equals(bitsOf(expectedShrunk!))).toBe(true);
    }
    for (const { frame, kept } of held) expect(bitsOf(kept.planes).equals(bitsOf(frame.planes))).toBe(true);
  });

  it('are read where they lie', () => {
    const { kernel, memory } = open();
    const frame = randomYuvFrame(randomSource(1), 'i420', 600, 400);
    kernel.stretchToTensor(frame, spec);
    const heldBytes = kernel.memoryBytes;
    const kept = inKernel(frame, memory.take(frame.planes.length));
    for (let round = 0; round < 3; round++) kernel.stretchToTensor(kept, spec);
    // not a second place for them: the first job's own is free again
    expect(kernel.memoryBytes).toBeLessThanOrEqual(heldBytes + frame.planes.length + 65536);
    expect(kernel.stretchToTensor(kept, spec).data.byteOffset).toBeLessThan(frame.planes.length);
  });

  it('lie where the tensor before them does not', () => {
    const { kernel, memory } = open();
    const frame = randomYuvFrame(randomSource(2), 'nv12', 90, 70);
    const tensor = kernel.stretchToTensor(frame, spec);
    const before = Buffer.from(bitsOf(tensor.data));
    memory.take(300_000)!.fill(77);
    expect(bitsOf(tensor.data).equals(before)).toBe(true);
  });

  it('take the same place again, and no more of them than are needed', () => {
    const { kernel, memory } = open();
    const first = memory.take(5000)!;
    expect(memory.give(first)).toBe(true);
    expect(memory.take(5000)).toBe(first);
    memory.give(first);
    const heldBytes = kernel.memoryBytes;
    for (let round = 0; round < 1000; round++) memory.give(memory.take(2000 + (round % 3000))!);
    expect(kernel.memoryBytes).toBe(heldBytes);
    expect(memory.give(new Uint8Array(5000))).toBe(false);
  });

  it('are eight at most, until one is given back or forgotten', async () => {
    const { memory } = open();
    const taken = Array.from({ length: 8 }, () => memory.take(640));
    expect(taken).not.toContain(null);
    expect(memory.take(640)).toBeNull();
    memory.give(taken.pop()!);
    taken.push(memory.take(640));
    expect(memory.take(640)).toBeNull();
    taken.length = 0;
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    await vi.waitFor(() => {
      collect();
      expect(memory.take(640)).not.toBeNull();
    });
  });

  it('stay as they are while it grows, which only shared memory grants', () => {
    expect(new WasmStretchKernel(unsharedModule, referenceStretchKernel).planesMemory).toBeNull();
    const { kernel, memory } = open();
    const planes = memory.take(1000)!.fill(5);
    kernel.stretchToTensor(randomYuvFrame(randomSource(3), 'i420', 1200, 900), spec);
    expect(planes.every((value) => value === 5)).toBe(true);
    expect(planes).toHaveLength(1000);
  });
});
