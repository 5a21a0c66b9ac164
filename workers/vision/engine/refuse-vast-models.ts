import { InferenceError } from '../../../src/machine/vision/face/errors.ts';

/**
 * While ONNX Runtime opens a model, its memory holds the file and the weights read from it: 2.1 times the file for a network of
 * convolutions, and 4 times for one of large matrices, which it also packs (measured: 108 and 306 MiB, 50 to 800 MiB; 1.30).
 */
const leastTimes = 2;
const mostTimes = 4;
/** WebAssembly addresses no more; the memory that a model was opened in is kept for the next one. */
const wasmBytes = 2 ** 32;
/** what `navigator.deviceMemory` says of a device with that much or more */
const mostTold = 8;

const sizeOf = (bytes: number): string =>
  bytes < 999.5e6 ? `${Math.max(1, Math.round(bytes / 1e6))} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** What the browser tells of the device's memory, in GiB and rounded to a power of two; undefined: nothing, or only that it is a lot. */
function toldGiB(): number | undefined {
  const told = (globalThis.navigator as { readonly deviceMemory?: number } | undefined)?.deviceMemory;
  return told !== undefined && told < mostTold ? told : undefined;
}

/**
 * Refuses a file that no browser, or not this device, can hold while it is opened, before it is read: the tab would end.
 * @throws InferenceError out-of-memory
 */
export function refuseVastModel(fileBytes: number, deviceGiB = toldGiB()): void {
  const neededBytes = leastTimes * fileBytes;
  const refuse = (most: string): never => {
    const has = `It has ${sizeOf(fileBytes)}, and opening it takes at least ${sizeOf(neededBytes)}`;
    throw new InferenceError('out-of-memory', `${has}: ${most}. ${smaller}`);
  };
  if (neededBytes > wasmBytes) refuse(`a browser gives a model ${sizeOf(wasmBytes)} at most`);
  // The page's own copy comes on top.
  if (deviceGiB !== undefined && neededBytes + fileBytes > deviceGiB * 2 ** 30)
    refuse(`beside the page, this device has no more than about ${deviceGiB} GB for all that runs on it`);
}

const smaller = 'Take a smaller model, or the same one in 16 or 8 bits.';

/**
 * A runtime's error as it opened a model, with what it keeps of it: ONNX Runtime 1.30 keeps the file of each model that it refuses
 * (measured: eight of 50 MiB left 500), and WebAssembly gives no memory back. One about memory also says what the model takes.
 */
export function withNeed(error: unknown, fileBytes: number): unknown {
  if (!(error instanceof InferenceError)) return error;
  const [least, most] = [sizeOf(leastTimes * fileBytes), sizeOf(mostTimes * fileBytes)];
  const has = `It has ${sizeOf(fileBytes)}, and opening it takes ${least} to ${most}. `;
  const { code, message } = error;
  const words = code === 'out-of-memory' ? has + message : message;
  return new InferenceError(code, words, { cause: error, keptBytes: fileBytes });
}

/** Memory for a file that is read. @throws InferenceError out-of-memory */
export function bytesFor(byteLength: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(byteLength);
  } catch (cause) {
    const text = `The browser has no ${sizeOf(byteLength)} left to read this file. Close other models or tabs. ${smaller}`;
    throw new InferenceError('out-of-memory', text, { cause });
  }
}
