import { readdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { fitModel, type FittedModel } from '../../src/models/fit/fit-model.ts';
import type { FitRequest } from '../../src/models/fit/source/fit-request.ts';
import { readFrameFile } from '../../src/platform/node/frame-file.ts';
import { openNodeSession } from '../../src/platform/node/onnxruntime.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import { toRgba8 } from '../../src/machine/vision/frame/frame-formats.ts';
import type { InferenceSession } from '../../src/machine/vision/inference/inference-session.ts';
import { packTensor } from '../../src/machine/vision/preprocess/pack-tensor.ts';
import { stretch } from '../../src/machine/vision/preprocess/stretch.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';
import type { PlainDetection } from './plain-detections.ts';
import { letterboxPlainly, type PlainLetterbox } from './plain-letterbox.ts';
import { rowsOf } from './run-fitted.ts';

/** Photographs and published models, which are not in the repository. */
export const sharedData = new URL('../../../shared/data/', import.meta.url);
export const hasSharedData = existsSync(sharedData);

export interface Photograph {
  readonly file: string;
  readonly frame: Frame;
}

export async function cocoPhotographs(count: number): Promise<Photograph[]> {
  const files = await readdir(new URL('images/coco/', sharedData));
  const stills = files.filter((file) => file.endsWith('.jpg')).toSorted();
  return Promise.all(stills.slice(0, count).map((file) => photograph(`coco/${file}`)));
}

export function facePhotographs(): Promise<Photograph[]> {
  return Promise.all(['satya.jpg', 'faces_1.jpg'].map(photograph));
}

async function photograph(file: string): Promise<Photograph> {
  return { file, frame: await readFrameFile(new URL(`images/${file}`, sharedData).pathname) };
}

/** The preprocessing that the source model was trained with, given by the test and not taken from the model's family. */
export interface SourceFeeding {
  readonly bgr: boolean;
  readonly mean: readonly [number, number, number];
  readonly stdDev: readonly [number, number, number];
  /** letterboxed as bytes instead of stretched */
  readonly letterbox?: PlainLetterbox;
  /** the inputs besides the picture */
  readonly others?: Readonly<Record<string, Tensor>>;
}

/** A published model and its fitted version, both open. */
export interface OpenPair {
  readonly fitted: FittedModel;
  /** Runs both on a photograph: returns the source's outputs, and the fitted model's detections with its own configuration. */
  readonly run: (frame: Frame) => Promise<PairAnswer>;
  readonly close: () => Promise<void>;
}

export interface PairAnswer {
  readonly source: PlainOutputs;
  readonly rows: PlainDetection[];
  /** converts a box of the source from fractions of its input to the frame */
  readonly ontoFrame: (box: readonly number[]) => readonly number[];
}

export async function openPair(
  file: string | URL,
  feeding: SourceFeeding,
  request: FitRequest = {},
): Promise<OpenPair> {
  const bytes = new Uint8Array(await readFile(new URL(file, new URL('models/', sharedData))));
  const fitted = fitModel(bytes, request);
  const source = await openNodeSession(bytes);
  const session = await openNodeSession(fitted.model);
  const { services } = fitted.configuration;
  const { attributes } = services[1];
  const { widthPx, heightPx } = fitted.inputSize;
  const { others, letterbox, ...sourceFeeding } = feeding;
  const toSource = { layout: 'nchw', dtype: 'float32', ...sourceFeeding } as const;
  const toFitted = {
    layout: 'nchw',
    dtype: session.inputs[0]!.dtype as 'uint8' | 'float32',
    bgr: attributes['input_image_bgr'] === true,
    mean: (attributes['input_image_mean_value'] ?? [0, 0, 0]) as [number, number, number],
    stdDev: (attributes['input_image_std_dev'] ?? [1, 1, 1]) as [number, number, number],
  } as const;
  return {
    fitted,
    run: async (frame) => {
      const [fed] = session.inputs;
      const seen = fed!.shape[2] === -1 ? frame : { widthPx, heightPx };
      const image = packTensor(stretch(frame, seen.widthPx, seen.heightPx), seen.widthPx, seen.heightPx, toFitted);
      const boxed = letterbox && letterboxPlainly(toRgba8(frame), { widthPx, heightPx }, letterbox);
      const picture = boxed?.tensor ?? packTensor(stretch(frame, widthPx, heightPx), widthPx, heightPx, toSource);
      return {
        source: plainValues(await source.run({ [source.inputs[0]!.name]: picture, ...others })),
        rows: rowsOf(plainValues(await session.run({ image }))),
        ontoFrame: boxed?.ontoFrame ?? ((box) => box),
      };
    },
    close: async () => {
      await source.release();
      await session.release();
    },
  };
}

/** Tensors by name, as plain numbers. */
export type PlainOutputs = Readonly<Record<string, { readonly shape: readonly number[]; readonly values: number[] }>>;

function plainValues(outputs: Awaited<ReturnType<InferenceSession['run']>>): PlainOutputs {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, { shape, data }]) => [name, { shape, values: Array.from(data, Number) }]),
  );
}
