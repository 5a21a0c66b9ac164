import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { createOnnxRuntime } from '../../src/platform/browser/onnxruntime/onnxruntime.ts';
import { CapturedModel } from '../../src/platform/browser/onnxruntime/captured-model.ts';
import { webGpuOptions } from '../../src/platform/browser/onnxruntime/webgpu-options.ts';
import { loadStretchKernel } from '../../src/platform/browser/wasm/load-stretch-kernel.ts';
import { BufferReader } from '../../src/platform/browser/webgpu/read-buffers.ts';
import { createStorage } from '../../src/platform/browser/webgpu/webgpu-compute.ts';
import { WebGpuDevice } from '../../src/platform/browser/webgpu/webgpu-device.ts';
import type { EightBitFrame } from '../../src/machine/vision/frame/frame.ts';
import { toGpu } from '../../src/machine/vision/gpu/gpu-frame.ts';
import { inputSpec } from '../../src/machine/vision/preprocess/input-spec.ts';
import { patternFrame } from '../../src/machine/vision/frame/pattern-frame.ts';

const side = 320;

/** A strided convolution and a mean: little work on a large input, so that the cost of getting the input to the GPU is visible. */
function smallModel(): Uint8Array<ArrayBuffer> {
  const graph = new GraphBuilder();
  const image = graph.input('image', 'float32', [1, 3, side, side]);
  const weights = graph.floats(
    [8, 3, 3, 3],
    Float32Array.from({ length: 8 * 27 }, (_, at) => ((at * 37) % 11) / 11 - 0.5),
  );
  const made = graph.add('Conv', [image, weights], { kernel_shape: { ints: [3, 3] }, strides: { ints: [2, 2] } });
  graph.output('means', graph.add('GlobalAveragePool', [graph.add('Relu', [made])]), 'float32', [1, 8, 1, 1]);
  return graph.build({ graphName: 'small', producer: 'bench', opset: 18 });
}

/** The baselines of the GPU path: ONNX Runtime alone on a separate device, and the upload of a frame's bytes. */
async function bareRuns(frame: EightBitFrame) {
  const ort = await import('onnxruntime-web/webgpu');
  const gpu = await WebGpuDevice.open();
  const reader = new BufferReader(gpu);
  const input = { name: 'image', dtype: 'float32', shape: [1, 3, side, side] } as const;
  const declared = { ...input, symbols: input.shape.map(() => null) };
  const captured = await CapturedModel.open(ort, smallModel(), gpu, declared, input);
  const plain = await ort.InferenceSession.create(smallModel(), webGpuOptions(gpu, 'gpu-buffer'));
  const dims = [...input.shape];
  const image = ort.Tensor.fromGpuBuffer(captured.input, { dataType: 'float32', dims });
  const uploaded = createStorage(gpu, 'uploaded frame', frame.samples.byteLength);
  const bring = async (results: Awaited<ReturnType<CapturedModel['run']>>) => {
    const tensors = Object.values(results);
    const reading = reader.read(tensors.map(({ gpuBuffer, size }) => ({ buffer: gpuBuffer, byteLength: 4 * size })));
    for (const tensor of tensors) tensor.dispose();
    await reading;
  };
  return {
    captured: async () => bring(await captured.run()),
    uncaptured: async () => bring(await plain.run({ image })),
    upload: async () => {
      gpu.device.queue.writeBuffer(uploaded, 0, frame.samples);
      await gpu.device.queue.onSubmittedWorkDone();
    },
    close: async () => {
      await Promise.all([captured.release(), plain.release()]);
      gpu.close();
    },
  };
}

/** Runs one frame in seven ways in turn, for each round; null if there is no acceptable GPU. */
async function measure({ rounds, acceptsEmulated }: { rounds: number; acceptsEmulated: boolean }) {
  const runtime = createOnnxRuntime();
  const { webgpu } = await runtime.capabilities();
  if (!webgpu.available || (webgpu.emulated && !acceptsEmulated)) return null;
  const kernel = await loadStretchKernel();
  const onCpu = await runtime.open(smallModel(), 'wasm');
  const onGpu = await runtime.open(smallModel(), 'webgpu');
  const intake = onGpu.gpu;
  if (!intake || intake.refusal !== '') throw new Error(`The GPU takes no frames: ${intake?.refusal ?? 'no intake'}.`);
  const attributes = { remapInputNames: {}, meanValue: [0, 0, 0], stdDev: [1, 1, 1], bgr: false };
  const input = inputSpec(onGpu.inputs, attributes);
  const frame = patternFrame('rgba8', 1280, 720) as EightBitFrame;
  const tiny = patternFrame('rgba8', 8, 8) as EightBitFrame;
  const { close, ...bare } = await bareRuns(frame);
  const ways = {
    ...bare,
    cpuPath: () => onCpu.run({ image: kernel.stretchToTensor(frame, input) }),
    gpuPath: () => intake.run(toGpu(frame), input),
    gpuModel: () => intake.run(toGpu(tiny), input),
    gpuTensor: () => onGpu.run({ image: kernel.stretchToTensor(frame, input) }),
  };
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []])) as unknown as Record<
    keyof typeof ways,
    number[]
  >;
  const warmUps = webgpu.emulated ? 1 : 5; // each runs the GPU session three times, after which its commands are captured
  for (let round = -warmUps; round < rounds; round++) {
    for (const [name, run] of Object.entries(ways) as [keyof typeof ways, () => Promise<unknown>][]) {
      const startMs = performance.now();
      await run();
      if (round >= 0) times[name].push(performance.now() - startMs);
    }
  }
  const { notCaptured } = await intake.run(toGpu(frame), input);
  await Promise.all([onCpu.release(), onGpu.release(), close()]);
  return { notCaptured, adapter: webgpu.adapter, emulated: webgpu.emulated, ...times };
}

Object.assign(globalThis, { measure });
