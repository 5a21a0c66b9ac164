import { expect, it } from 'vitest';
import { WebGpuDevice } from './webgpu-device.ts';

const device = { lost: new Promise(() => undefined) };
const adapterWith = (requestDevice: () => Promise<unknown>) => ({ features: new Set(), limits: {}, requestDevice });
const working = adapterWith(async () => device);
const broken = adapterWith(async () => {
  throw new Error('The driver was reset.');
});

/** Offers one adapter to whoever wants high performance, and another one else. */
function gpuWith(fast: unknown, other: unknown) {
  const asked: (string | undefined)[] = [];
  const gpu = {
    requestAdapter: async ({ powerPreference }: GPURequestAdapterOptions) => {
      asked.push(powerPreference);
      return powerPreference ? fast : other;
    },
  };
  return { gpu: gpu as unknown as GPU, asked };
}

it.each([
  ['is there', working, ['high-performance']],
  ['is not there', null, ['high-performance', undefined]],
  ['gives no device', broken, ['high-performance', undefined]],
])('asks for high performance, and without where such an adapter %s', async (_, fast, wanted) => {
  const { gpu, asked } = gpuWith(fast, working);
  expect((await WebGpuDevice.open(gpu)).device).toBe(device);
  expect(asked).toEqual(wanted);
});

it('says what was refused where no adapter helps', async () => {
  await expect(WebGpuDevice.open(gpuWith(null, null).gpu)).rejects.toThrow('WebGPU finds no adapter');
  await expect(WebGpuDevice.open(gpuWith(broken, null).gpu)).rejects.toThrow('gives no device');
});
