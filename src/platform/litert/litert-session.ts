import { checkTfliteModel } from '../../models/tflite/check-model.ts';
import { interpreterFile } from '../../models/tflite/interpreter-file.ts';
import { readTfliteModel } from '../../models/tflite/read-model.ts';
import { InferenceError } from '../../machine/vision/face/errors.ts';
import type { InferenceSession } from '../../machine/vision/face/inference.ts';
import { shapeText, type Tensor, type TensorInfo } from '../../machine/vision/face/feeding.ts';
import { refuseBadFeeds } from '../inference/bad-feeds.ts';
import type { Deletable, LiteRtBindings, LiteRtFactory, TensorBuffer } from './litert-bindings.ts';
import { runtimeErrorOf } from './litert-error.ts';
import { bytesOf, elementBytes, tensorOfBytes } from '../inference/tensor-bytes.ts';

export interface LiteRtModule {
  readonly bindings: LiteRtBindings;
  readonly environment: Deletable;
  readonly threads: number;
  /** Lines that the runtime has written since it was last asked: some failures it tells in no other way. */
  takeLines(): readonly string[];
}

/** Starts a build of LiteRT. Its log stays out of the console. */
export async function startLiteRt(
  factory: LiteRtFactory,
  threads: number,
  options: Readonly<Record<string, unknown>> = {},
): Promise<LiteRtModule> {
  let lines: string[] = [];
  const keep = (line: string) => void lines.push(line);
  const bindings = await factory({ print: keep, printErr: keep, ...options });
  const takeLines = () => lines.splice(0);
  lines = [];
  return { bindings, environment: bindings.LiteRtEnvironment.create(null), threads, takeLines };
}

/**
 * Compiles a .tflite model for the CPU (XNNPACK), with the interpreter's names, order and dtypes. Shapes of outputs are
 * those of a run on zeros, as on the machine. @throws InferenceError, ModelError
 */
export async function openLiteRtSession(module: LiteRtModule, model: Uint8Array): Promise<InferenceSession> {
  const summary = readTfliteModel(model);
  const foreign = checkTfliteModel(summary).find(({ code }) => code === 'unsupported-operator');
  if (foreign) throw foreign;
  const { inputs, outputs } = summary;
  const compiled = await compile(module, interpreterFile(model), inputs, outputs);
  const run = async (feeds: Readonly<Record<string, Tensor>>) => {
    const results = await compiled.run(inputs.map((input) => bytesToFeed(input, feeds[input.name]!)));
    return results.map(({ bytes, shape }, i) => tensorOfBytes(outputs[i]!.dtype, shape, bytes));
  };
  let isReleased = false;
  try {
    const onZeros = await run(Object.fromEntries(inputs.map((input) => [input.name, zeros(input)])));
    return {
      inputs,
      outputs: outputs.map((output, i) => ({
        ...output,
        shape: onZeros[i]!.shape,
        symbols: onZeros[i]!.shape.map(() => null),
      })),
      async run(feeds) {
        if (isReleased) throw new InferenceError('runtime', 'The model was unloaded.');
        refuseBadFeeds(inputs, feeds);
        const results = await run(feeds);
        return Object.fromEntries(results.map((tensor, i) => [outputs[i]!.name, tensor]));
      },
      release() {
        if (!isReleased) compiled.release();
        isReleased = true;
        return Promise.resolve();
      },
    };
  } catch (error) {
    afterFailure(() => compiled.release());
    throw error;
  }
}

/** A runtime that broke off breaks off again where its objects are freed, and only the first error says why. */
function afterFailure(release: () => void): void {
  try {
    release();
  } catch {
    // the caller throws what came first
  }
}

interface Compiled {
  run(
    feeds: readonly Uint8Array[],
  ): Promise<readonly { readonly bytes: Uint8Array; readonly shape: readonly number[] }[]>;
  release(): void;
}

async function compile(
  module: LiteRtModule,
  file: Uint8Array,
  inputs: readonly TensorInfo[],
  outputs: readonly TensorInfo[],
): Promise<Compiled> {
  const { bindings, environment, threads, takeLines } = module;
  const owned: Deletable[] = [];
  // The model reads its weights from here for as long as it lives.
  const memory = bindings._malloc(file.length);
  const release = () => {
    for (const object of owned.reverse()) object.delete();
    bindings._free(memory);
  };
  try {
    bindings.HEAPU8.set(file, memory);
    const model = bindings.loadModel(environment, memory, file.length);
    owned.push(model);
    const compiled = await bindings.compileModel(environment, model, {
      accelerator: 'wasm',
      cpuOptions: { numThreads: threads },
      gpuOptions: {},
      webNNOptions: {},
    });
    owned.push(compiled);
    const signature = model.getSignature(0);
    owned.push(signature);
    const counts = [sizeOf(signature.inputNames()), sizeOf(signature.outputNames())];
    if (counts.join() !== [inputs.length, outputs.length].join())
      throw new Error(
        `${counts.join(' inputs and ')} outputs, where the file has ${inputs.length} and ${outputs.length}`,
      );
    const buffers = inputs.map((_, i) => {
      const type = model.getInputTensorType(0, i);
      const buffer = bindings.LiteRtTensorBuffer.createManaged(
        environment,
        bindings.LiteRtTensorBufferType.HOST_MEMORY,
        type,
        type.bytes(),
      );
      type.delete();
      owned.push(buffer);
      return buffer;
    });
    refuseWrittenErrors(takeLines());
    return {
      release,
      async run(feeds) {
        feeds.forEach((bytes, i) => write(bindings, buffers[i]!, bytes));
        let results: TensorBuffer[] = [];
        const free = () => {
          for (let result = results.pop(); result; result = results.pop()) result.delete();
        };
        try {
          results = await compiled.run(0, buffers);
          refuseWrittenErrors(takeLines());
          const values = results.map((result) => read(bindings, result));
          free(); // fails where an operator wrote past what it was given
          return values;
        } catch (error) {
          afterFailure(free);
          throw runtimeErrorOf(error, takeLines(), 'run');
        }
      },
    };
  } catch (error) {
    afterFailure(release);
    throw runtimeErrorOf(error, takeLines(), 'load');
  }
}

/** LiteRT returns from runs that did not happen. */
function refuseWrittenErrors(lines: readonly string[]): void {
  const errors = lines.filter((line) => line.startsWith('ERROR'));
  if (errors.length > 0) throw new Error(errors.map((line) => line.replace(/^ERROR: (\[[^\]]*\] )?/, '')).join(' '));
}

function write({ HEAPU8, LiteRtTensorBufferLockMode }: LiteRtBindings, buffer: TensorBuffer, bytes: Uint8Array): void {
  const at = buffer.lock(LiteRtTensorBufferLockMode.WRITE);
  HEAPU8.set(bytes, at);
  buffer.unlock();
}

function read(
  bindings: LiteRtBindings,
  buffer: TensorBuffer,
): { readonly bytes: Uint8Array; readonly shape: readonly number[] } {
  const type = buffer.tensorType();
  const layout = type.layout();
  const dimensions = layout.dimensions();
  const shape = Array.from({ length: dimensions.size() }, (_, i) => Number(dimensions.get(i)));
  for (const object of [dimensions, layout, type]) object.delete();
  const at = buffer.lock(bindings.LiteRtTensorBufferLockMode.READ);
  const bytes = bindings.HEAPU8.slice(at, at + buffer.packedSize());
  buffer.unlock();
  return { bytes, shape };
}

function sizeOf(vector: { size(): number; delete(): void }): number {
  const size = vector.size();
  vector.delete();
  return size;
}

/** The machine copies bytes into a tensor and refuses another number of them. */
function bytesToFeed({ name, dtype, shape }: TensorInfo, tensor: Tensor): Uint8Array {
  const expected = elementBytes(dtype) * shape.reduce((product, size) => product * size, 1);
  const bytes = bytesOf(tensor);
  if (bytes.length === expected) return bytes;
  throw new InferenceError(
    'shape-mismatch',
    `Input "${name}" takes ${expected} bytes (${dtype} ${shapeText(shape)}) and was given ${bytes.length} ` +
      `(${tensor.dtype} ${shapeText(tensor.shape)}).`,
  );
}

function zeros({ dtype, shape }: TensorInfo): Tensor {
  const count = shape.reduce((product, size) => product * size, 1);
  return tensorOfBytes(dtype, shape, new Uint8Array(count * elementBytes(dtype)));
}
