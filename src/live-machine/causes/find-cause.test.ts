import { describe, expect, it } from 'vitest';
import { fixedSession, float32, imageInput } from '../../../tests/fixed-session.ts';
import { parseMachineConfig } from '../../config/parse-machine-config.ts';
import type { Frame } from '../../vision/frame.ts';
import type { InferenceSession } from '../../vision/inference/inference-session.ts';
import { createMachine, type Machine } from '../../vision/machine.ts';
import { referenceStretchKernel } from '../../vision/preprocess/preprocess.ts';
import { tensorToFloat64 } from '../../vision/inference/tensor-values.ts';
import type { Tensor } from '../../vision/tensor.ts';
import type { AnswerHere, LiveImage } from '../live-machine.ts';
import { proveFrames, withCause, type Proof } from '../prove-frames.ts';
import { findCause } from './find-cause.ts';
import { answersOf, modelRunOf, type TriedService } from './try-services.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** One side: attributes of its vision service, its label file and its model. */
interface Side {
  readonly attributes?: Attributes;
  readonly labels?: readonly string[] | null;
  readonly session?: InferenceSession;
}

function seeded(seed: number): () => number {
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
function detector(weight = 1, dtype: 'float32' | 'uint8' = 'float32', size = 12): InferenceSession {
  return fixedSession(imageInput(dtype === 'uint8' ? [1, size, size, 3] : [1, 3, size, size], dtype), (image) => {
    const found = patches(image).map(([red, green, blue]) => ({
      score: sigmoid(weight * (1.9 * red! - 0.6 * green! + 0.4 * blue!) + 0.3),
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
function classifier(weight = 1): InferenceSession {
  return fixedSession(imageInput([1, 3, 12, 12], 'float32'), (image) => {
    const [[red, green, blue]] = patches(image) as [[number, number, number]];
    const values = [red, green + 0.2 * red, 1.4 * blue, 0.3 - red, green - blue].map((v) => Math.exp(weight * v));
    const sum = values.reduce((total, value) => total + value, 0);
    return { probability: float32([1, 5], values.map((value) => value / sum)) };
  }, ['probability']); // prettier-ignore
}

const names = ['person', 'dog', 'cup'];
const classes = ['ant', 'bee', 'cow', 'doe', 'eel'];
const imageNet = { input_image_mean_value: [0.485, 0.456, 0.406], input_image_std_dev: [0.229, 0.224, 0.225] };
const unit = { input_image_mean_value: [0, 0, 0], input_image_std_dev: [1, 1, 1] };

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

/** What is said of eight frames, where the machine is the one side and the bench the other. */
async function proven(there: Side, here: Side): Promise<Proof> {
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
    inferThere: (feeds) => there.session!.run(feeds),
  });
  return withCause(proof, cause);
}

const half = { default_minimum_confidence: 0.5 };
const detects = (attributes: Attributes = half, labels: Side['labels'] = names): Side => ({
  attributes,
  labels,
  session: detector(),
});
const says = (attributes: Attributes = {}, labels: Side['labels'] = classes): Side => ({
  attributes,
  labels,
  session: classifier(),
});
const ofBytes = (attributes: Attributes): Side => ({ attributes, labels: names, session: detector(1, 'uint8') });
const remap = { location: 'location', category: 'category', score: 'score' };

/** One thing that the bench has otherwise than the machine, and what is said of it, and nothing else. */
const injected: readonly (readonly [name: string, there: Side, here: Side, said: RegExp])[] = [
  [
    'colours, of a detector',
    detects({ ...half, input_image_bgr: true }),
    detects(),
    /^With input_image_bgr true both say the same; here it is false\.$/,
  ],
  [
    'colours, the other way',
    detects(),
    detects({ ...half, input_image_bgr: true }),
    /^With input_image_bgr false both/,
  ],
  ['colours, of bytes', ofBytes({ ...half, input_image_bgr: true }), ofBytes(half), /^With input_image_bgr true both/],
  ['colours, of a classifier', says({ input_image_bgr: true }), says(), /^With input_image_bgr true both/],
  [
    'mean, missing here',
    detects({ ...half, input_image_mean_value: [0, 0, 0] }),
    detects(),
    /^With input_image_mean_value \[0, 0, 0\] both say the same; here it is \[0\.5, 0\.5, 0\.5\]\.$/,
  ],
  [
    'mean, missing there',
    detects(),
    detects({ ...half, input_image_mean_value: [0, 0, 0] }),
    /^With input_image_mean_value \[0\.5, 0\.5, 0\.5\] both/,
  ],
  [
    'mean of ImageNet',
    detects({ ...half, ...imageNet }),
    detects({ ...half, ...imageNet, input_image_mean_value: [0, 0, 0] }),
    /^With input_image_mean_value \[0\.485, 0\.456, 0\.406\] both/,
  ],
  [
    'mean, of a classifier',
    says(unit),
    says({ ...unit, input_image_mean_value: [0.5, 0.5, 0.5] }),
    /^With input_image_mean_value \[0, 0, 0\] both/,
  ],
  [
    'deviation, missing here',
    detects({ ...half, input_image_std_dev: [1, 1, 1] }),
    detects(),
    /^With input_image_std_dev \[1, 1, 1\] both say the same; here it is \[0\.5, 0\.5, 0\.5\]\.$/,
  ],
  [
    'deviation, missing there',
    detects(),
    detects({ ...half, input_image_std_dev: [1, 1, 1] }),
    /^With input_image_std_dev \[0\.5, 0\.5, 0\.5\] both/,
  ],
  [
    'deviation, of a classifier',
    says(imageNet),
    says({ ...imageNet, input_image_std_dev: [1, 1, 1] }),
    /^With input_image_std_dev \[0\.229, 0\.224, 0\.225\] both/,
  ],
  [
    'mean and deviation',
    detects({ ...half, ...imageNet }),
    detects(),
    /^With input_image_mean_value \[0\.485, 0\.456, 0\.406\] and input_image_std_dev \[0\.229/,
  ],
  [
    'colours, mean and deviation',
    says({ ...unit, input_image_bgr: true }),
    says(),
    /^With input_image_bgr true and input_image_mean_value \[0, 0, 0\] and input_image_std_dev \[1, 1, 1\]/,
  ],
  [
    'an unusual mean',
    detects({ ...half, input_image_mean_value: [0.31, 0.77, 0.2] }),
    detects(),
    /so it is this model; no single attribute with a usual value/,
  ],
  [
    'box order',
    detects(),
    detects({ ...half, xmin_ymin_xmax_ymax_order: [0, 1, 2, 3] }),
    /^With xmin_ymin_xmax_ymax_order \[1, 0, 3, 2\] both say the same; here it is \[0, 1, 2, 3\]/,
  ],
  [
    'box order, given there only',
    detects({ ...half, xmin_ymin_xmax_ymax_order: [0, 1, 2, 3] }),
    detects(),
    /^With xmin_ymin_xmax_ymax_order \[0, 1, 2, 3\] both say the same; here it is not given/,
  ],
  [
    'box order, unusual',
    detects({ ...half, xmin_ymin_xmax_ymax_order: [0, 2, 1, 3] }),
    detects(),
    /^With xmin_ymin_xmax_ymax_order \[0, 2, 1, 3\] both/,
  ],
  ['label file missing there', detects(half, null), detects(), /^The machine says index numbers/],
  ['label file missing here', detects(), detects(half, null), /^The machine has names where index numbers stand here/],
  ['label file missing there, of a classifier', says({}, null), says(), /^The machine says index numbers/],
  [
    'label file missing here, of a classifier',
    says(),
    says({}, null),
    /^The machine has names where index numbers stand here/,
  ],
  [
    'label file missing here, which drops what is listed',
    detects({ label_confidences: { person: 0.4, dog: 0.4, cup: 0.4 } }),
    detects({ label_confidences: { person: 0.4, dog: 0.4, cup: 0.4 } }, null),
    /^The machine has names where index numbers stand here/,
  ],
  [
    'labels shifted',
    detects(half, ['???', ...names]),
    detects(),
    /shifted by a line: the one there has a line more at its beginning/,
  ],
  [
    'labels shifted the other way',
    detects(),
    detects(half, ['background', ...names]),
    /shifted by a line: the one here has a line more/,
  ],
  [
    'labels shifted, of a classifier',
    says({}, ['background', ...classes.slice(0, 4)]),
    says(),
    /shifted by a line: the one there has a line more/,
  ],
  ['other labels', detects(half, ['person', 'cat', 'cup']), detects(), /class 1 is “dog” here and “cat” there\.$/],
  [
    'two labels changed places',
    detects(half, ['dog', 'person', 'cup']),
    detects(),
    /class 0 is “person” here and “dog” there, class 1 is “dog” here and “person” there\.$/,
  ],
  [
    'threshold, higher here',
    detects(),
    detects({ default_minimum_confidence: 0.8 }),
    /with default_minimum_confidence 0\.5 both say the same \(any above 0\.\d+ and up to 0\.\d+ would\); here it is 0\.8/,
  ],
  [
    'threshold, lower here',
    detects({ default_minimum_confidence: 0.7 }),
    detects({ default_minimum_confidence: 0.2 }),
    /with default_minimum_confidence 0\.7 both .* here it is 0\.2/,
  ],
  [
    'threshold, none there',
    detects({}),
    detects(),
    /with default_minimum_confidence 0 both say the same \(it keeps all, down to/,
  ],
  [
    'threshold, of a classifier',
    says({ default_minimum_confidence: 0.2 }),
    says({ default_minimum_confidence: 0.3 }),
    /with default_minimum_confidence 0\.2 both .* here it is 0\.3/,
  ],
  [
    'threshold of a label',
    detects({ label_confidences: { person: 0.7, dog: 0.5, cup: 0.5 } }),
    detects({ label_confidences: { person: 0.3, dog: 0.5, cup: 0.5 } }),
    /^label_confidences there are others: “person” is 0\.3 here and above 0\.\d+ and up to 0\.\d+ there\.$/,
  ],
  [
    'a label that is not listed there',
    detects({ label_confidences: { person: 0.3, cup: 0.3 } }),
    detects({ label_confidences: { person: 0.3, dog: 0.3, cup: 0.3 } }),
    /^label_confidences there are others: “dog” is 0\.3 here and dropped there up to 0\.\d+\.$/,
  ],
  [
    'label_confidences, here only',
    detects(),
    detects({ ...half, label_confidences: { person: 0.8 } }),
    /^The machine has no label_confidences: without them/,
  ],
  [
    'label_confidences, there only',
    detects({ ...half, label_confidences: { person: 0.2, cup: 0.8 } }),
    detects(),
    /^label_confidences there are others: “person” is 0\.5 here and/,
  ],
  [
    'remap, classes and scores changed places',
    detects(),
    detects({ ...half, remap_output_names: { location: 'location', category: 'score', score: 'category' } }),
    /^With remap_output_names \{\} both/,
  ],
  [
    'another model of the same shape',
    { ...detects(), session: detector(1.7) },
    detects(),
    /^The model file there is another one/,
  ],
  [
    'another classifier of the same shape',
    { ...says(), session: classifier(1.5) },
    says(),
    /^The model file there is another one/,
  ],
];

describe('the one thing that the bench has otherwise than the machine', () => {
  it.each(injected)('%s', async (_, there, here, said) => {
    const { reasons, apart } = await proven(there, here);
    expect(apart).toBeGreaterThan(0);
    expect(reasons).toEqual([expect.objectContaining({ words: expect.stringMatching(said), frames: apart })]);
  });

  it.each([
    ['a detector', detects()],
    ['a classifier', says()],
    ['a remap of the names that are there', detects({ ...half, remap_output_names: remap })],
  ])('is none where both are equal: %s', async (_, side) => {
    const { reasons, apart } = await proven(side, { ...side });
    expect([reasons, apart]).toEqual([[], 0]);
  });
});
