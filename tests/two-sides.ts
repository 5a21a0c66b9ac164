import { fixedSession, float32, imageInput } from './fixed-session.ts';
import { parseMachineConfig } from '../src/machine/config/parse/parse-machine-config.ts';
import type { Frame } from '../src/machine/vision/frame/frame.ts';
import type { InferenceSession } from '../src/machine/vision/inference/inference-session.ts';
import { createMachine, type Machine } from '../src/machine/vision/machine.ts';
import { referenceStretchKernel } from '../src/machine/vision/preprocess/preprocess.ts';
import { tensorToFloat64 } from '../src/machine/vision/tensor/tensor-values.ts';
import type { Tensor } from '../src/machine/vision/tensor/tensor.ts';
import type { AnswerHere, LiveImage } from '../src/remote/live-machine/live-machine.ts';
import { proveFrames, withCause, type Proof } from '../src/remote/live-machine/prove-frames.ts';
import { findCause } from '../src/remote/live-machine/causes/find-cause.ts';
import { answersOf, modelRunOf, type TriedService } from '../src/remote/live-machine/causes/try-services.ts';

export type Attributes = Readonly<Record<string, unknown>>;

/** One side: attributes of its vision service, its label file and its model. */
export interface Side {
  readonly attributes?: Attributes;
  readonly labels?: readonly string[] | null;
  readonly session?: InferenceSession;
}

export function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** Pictures of six patches of colour, each a thing that the models below see. */
function pictures(count: number): Frame[] {
  const random = seeded(7);
  return Array.from({ length: count }, () => {
    const colours = Array.from({ length: 6 }, () => [random() * 255, random() * 255, random() * 255]);
    const samples = new Uint8ClampedArray(4 * 24 * 16);
    for (let y = 0; y < 16; y++) {
      for (let x = 0; x < 24; x++) samples.set([...colours[3 * (y >> 3) + (x >> 3)]!, 255], 4 * (24 * y + x));
    }
    return { format: 'rgba8', widthPx: 24, heightPx: 16, samples };
  });
}

/** Mean of each channel in each of six patches of a 1×3×12×12 tensor, or of bytes as −1..1. */
function patches(image: Tensor): number[][] {
  const values = tensorToFloat64(image)!;
  const scale = image.dtype === 'uint8' ? (v: number) => v / 127.5 - 1 : (v: number) => v;
  const at = (k: number, y: number, x: number) =>
    scale(values[image.shape[1] === 3 ? (k * 12 + y) * 12 + x : (y * 12 + x) * 3 + k]!);
  return Array.from({ length: 6 }, (_, patch) => [0, 1, 2].map((k) => at(k, patch < 3 ? 3 : 9, 2 + 4 * (patch % 3))));
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

/** A detector of the colours of patches: three kinds of things, by their strongest channel. */
export function detector(weight = 1, dtype: 'float32' | 'uint8' = 'float32', size = 12): InferenceSession {
  return fixedSession(imageInput(dtype === 'uint8' ? [1, size, size, 3] : [1, 3, size, size], dtype), (image) => {
    const found = patches(image).map(([red, green, blue]) => ({
      score: sigmoid(weight * (1.9 * red! - 0.6 * green! + 0.4 * blue!) + 0.35 * red! * blue! - 0.3 * green! * green! + 0.25 * blue! * green! + 0.3), // prettier-ignore
      category: [red! + 0.1, green!, blue!].reduce((most, value, at, all) => (value > all[most]! ? at : most), 0),
    }));
    const boxes = found.flatMap((_, patch) => [0.5 * Math.floor(patch / 3), (patch % 3) / 3, 0.5 * Math.floor(patch / 3) + 0.4, (patch % 3) / 3 + 0.25]);
    return {
      location: float32([1, 6, 4], boxes),
      category: float32([1, 6], found.map(({ category }) => category)),
      score: float32([1, 6], found.map(({ score }) => score)),
    };
  }, ['location', 'category', 'score']); // prettier-ignore
}

/** A classifier of the first patch. */
export function classifier(weight = 1): InferenceSession {
  return fixedSession(imageInput([1, 3, 12, 12], 'float32'), (image) => {
    const [[red, green, blue]] = patches(image) as [[number, number, number]];
    const values = [red + 0.2 * green * blue, green + 0.2 * red, 1.4 * blue - 0.3 * red * red, 0.3 - red, green - blue + 0.2 * red * green].map((v) => Math.exp(weight * v));
    const sum = values.reduce((total, value) => total + value, 0);
    return { probability: float32([1, 5], values.map((value) => value / sum)) };
  }, ['probability']); // prettier-ignore
}

export const names = ['person', 'dog', 'cup'];
export const classes = ['ant', 'bee', 'cow', 'doe', 'eel'];
export const imageNet = { input_image_mean_value: [0.485, 0.456, 0.406], input_image_std_dev: [0.229, 0.224, 0.225] };
export const unit = { input_image_mean_value: [0, 0, 0], input_image_std_dev: [1, 1, 1] };

const ports = {
  font: null as never,
  stretchKernel: referenceStretchKernel,
  turn: <T>(task: () => Promise<T>) => task(),
  nowMs: () => 0,
};

function built({ attributes = {}, labels = null, session }: Side): { machine: Machine; present: TriedService } {
  const service = {
    name: 'v',
    api: 'rdk:service:vision',
    model: 'mlmodel',
    attributes: { mlmodel_name: 'm', ...attributes },
  };
  const { config } = parseMachineConfig(JSON.stringify({ services: [service] }));
  return {
    machine: createMachine(config, { v: { session: session!, labels } }, ports),
    present: { config: config.visionServices[0]!, labels },
  };
}

const frames = pictures(8);
const frameOf = ({ bytes }: LiveImage): Frame => frames[bytes[0]!]!;

/** The proof by eight frames, where the machine is one side and the bench the other. */
export async function proven(there: Side, here: Side, knowsModel = true): Promise<Proof> {
  const classifies = there.session!.outputs.length === 1;
  const [theirs, ours] = [built(there), built(here)];
  const answer = async (machine: Machine, frame: Frame): Promise<AnswerHere> => ({
    widthPx: frame.widthPx,
    heightPx: frame.heightPx,
    detections: classifies ? null : await machine.detections('v', frame),
    classifications: classifies ? await machine.classifications('v', frame, 0) : null,
  });
  let next = 0;
  const ask = async () => {
    const image = {
      sourceName: '',
      mediaType: 'image/png',
      bytes: Uint8Array.of(next++ % frames.length),
      capturedAtMs: null,
    };
    const { detections, classifications } = await answer(theirs.machine, frameOf(image));
    return { image, detections, classifications };
  };
  const session = here.session!;
  const { inputs, outputs } = session;
  const metadata = { name: 'm', type: '', inputs: [], outputs: [] };
  const proof = await proveFrames(ask, (image) => answer(ours.machine, frameOf(image)), {
    frames: frames.length,
    facts: { model: { inputs, outputs, there: metadata }, rule: ours.present.config },
    confirm: async (capture) => capture,
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  const cause = await findCause(proof.samples, {
    present: ours.present,
    inputs,
    answers: (image, tried, asked) => answersOf(frameOf(image), tried, asked, { session, ports }),
    run: (image) => modelRunOf(frameOf(image), ours.present, { session, ports }),
    inferThere: knowsModel ? (feeds) => there.session!.run(feeds) : null,
  });
  return withCause(proof, cause);
}

export const half = { default_minimum_confidence: 0.5 };
export const detects = (attributes: Attributes = half, labels: Side['labels'] = names): Side => ({
  attributes,
  labels,
  session: detector(),
});
export const says = (attributes: Attributes = {}, labels: Side['labels'] = classes): Side => ({
  attributes,
  labels,
  session: classifier(),
});
export const ofBytes = (attributes: Attributes): Side => ({ attributes, labels: names, session: detector(1, 'uint8') });
