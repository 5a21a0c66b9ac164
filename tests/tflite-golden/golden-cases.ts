import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { readFrameFile } from '../../src/platform/node/frame-file.ts';
import { readTfliteModel } from '../../src/models/tflite/read-model.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import { patternFrame } from '../../src/machine/vision/frame/pattern-frame.ts';
import { inputSpec } from '../../src/machine/vision/preprocess/input-spec.ts';
import { referenceStretchKernel } from '../../src/machine/vision/preprocess/preprocess.ts';
import type { Tensor, TensorInfo } from '../../src/machine/vision/tensor/tensor.ts';
import { tfliteFloatNet } from '../tflite-models.ts';

/** A case that was run by the native interpreter, with the values to compare. */
export interface GoldenCase {
  readonly model: string;
  /** a photograph's file name, or "pattern" */
  readonly frame: string;
}

const data = new URL('../../../shared/data/', import.meta.url);
const models = ['float-net', 'ssd_mobilenet_v1_coco_quant', 'mobilenet_v2_1.0_224_quant'];
const photographCount = 20;

/** All cases. They need the test data, except the first one, which uses a generated pattern. */
export function goldenCases(): readonly GoldenCase[] {
  const photographs = readdirSync(new URL('images/coco/', data)).filter((name) => name.endsWith('.jpg'));
  const frames = photographs.sort().slice(0, photographCount);
  return [patternCase, ...models.flatMap((model) => frames.map((frame) => ({ model, frame })))];
}

const patternCase: GoldenCase = { model: 'float-net', frame: 'pattern' };

export async function goldenModel(model: string): Promise<Uint8Array<ArrayBuffer>> {
  if (model === 'float-net') return tfliteFloatNet();
  return new Uint8Array(await readFile(new URL(`models/${model}.tflite`, data)));
}

/** The model's input tensor: the frame stretched to the input size, as the machine does. */
export async function goldenInput(model: Uint8Array, frameName: string): Promise<Tensor> {
  const [input] = readTfliteModel(model).inputs as [TensorInfo];
  const frame: Frame =
    frameName === 'pattern'
      ? patternFrame('rgba8', 48, 40)
      : await readFrameFile(new URL(`images/coco/${frameName}`, data).pathname);
  const spec = inputSpec([input], {
    remapInputNames: { [input.name]: 'image' },
    meanValue: [],
    stdDev: [],
    bgr: false,
  });
  return referenceStretchKernel.stretchToTensor(frame, spec);
}

/** A short digest of a tensor's values. */
export function digest({ data: values }: Tensor): string {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}
