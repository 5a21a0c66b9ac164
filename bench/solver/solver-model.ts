import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseMachineConfig } from '../../src/machine/config/parse/parse-machine-config.ts';
import type { VisionServiceConfig } from '../../src/machine/config/parse/machine-config.ts';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import { recogniseModel } from '../../src/models/fit/recognise-model.ts';
import { readModelFile } from '../../src/models/read-model-file.ts';
import { openSession } from '../../src/platform/node/open-session.ts';
import { parseLabels } from '../../src/machine/vision/decode/labels.ts';
import { statedFeeding, type StatedFeeding } from '../../src/machine/vision/inference/stated-feeding.ts';
import type { InferenceSession } from '../../src/machine/vision/inference/inference-session.ts';
import { visionServiceConfig } from '../../tests/machine-configs.ts';

/** A model with its correct configuration and labels. */
export interface SolverModel {
  readonly name: string;
  readonly kind: 'detector' | 'classifier';
  /** the kind of photographs that it is trained for */
  readonly sees: 'things' | 'faces' | 'classes';
  readonly session: InferenceSession;
  readonly config: VisionServiceConfig;
  readonly labels: readonly string[];
  /** label names in the model file */
  readonly ownLabels: readonly string[] | null;
  /** the preprocessing that the file or the model's family states, as the app knows it; null = nothing */
  readonly statedFeeding: StatedFeeding | null;
}

type Recipe = Omit<SolverModel, 'session' | 'config' | 'labels' | 'ownLabels' | 'statedFeeding'> & {
  readonly file: string;
  readonly labels: string | readonly string[];
  /** the correct configuration for the unchanged file; absent: the model is fitted first, which gives its configuration */
  readonly config?: Partial<VisionServiceConfig>;
  readonly options?: Readonly<Record<string, string>>;
};

const coco = 'coco80.labels.txt';
const threshold = { defaultMinimumConfidence: 0.3 };

/** The models in two halves. The solver's thresholds were chosen on the first. */
export const recipes: readonly (readonly Recipe[])[] = [
  [
    { name: 'FastestDet', kind: 'detector', sees: 'things', file: 'FastestDet_ortx.onnx', labels: coco },
    { name: 'DEIMv2', kind: 'detector', sees: 'things', file: 'deimv2_hgnetv2_atto_coco.onnx', labels: coco },
    { name: 'UltraFace', kind: 'detector', sees: 'faces', file: 'ultraface_RFB-320.onnx', labels: ['face'] },
    {
      name: 'built-in faces',
      kind: 'detector',
      sees: 'faces',
      file: 'face-detector.onnx',
      labels: ['face'],
      config: threshold,
    },
    {
      name: 'SqueezeNet',
      kind: 'classifier',
      sees: 'classes',
      file: 'SqueezeNet_fp16_winml.onnx',
      labels: 'imagenet1000.labels.txt',
    },
  ],
  [
    { name: 'NanoDet', kind: 'detector', sees: 'things', file: 'nanodet_m_320.onnx', labels: coco },
    {
      name: 'YOLOX-nano',
      kind: 'detector',
      sees: 'things',
      file: 'yolox_nano_416.onnx',
      labels: coco,
      options: { letterbox: 'stretch' },
    },
    {
      name: 'SSD MobileNet (TFLite)',
      kind: 'detector',
      sees: 'things',
      file: 'ssd_mobilenet_v1_coco_quant.tflite',
      labels: 'ssd_mobilenet_v1_coco.labels.txt',
      config: {
        ...threshold,
        remapInputNames: { normalized_input_image_tensor: 'image' },
        remapOutputNames: {
          TFLite_Detection_PostProcess: 'location',
          'TFLite_Detection_PostProcess:1': 'category',
          'TFLite_Detection_PostProcess:2': 'score',
        },
      },
    },
    {
      name: 'UltraFace, not fitted',
      kind: 'detector',
      sees: 'faces',
      file: 'ultraface_RFB-320.onnx',
      labels: ['background', 'face'],
      config: {
        remapInputNames: { input: 'image' },
        remapOutputNames: { boxes: 'location', scores: 'score' },
        boxOrder: [0, 1, 2, 3],
        labelConfidences: { face: 0.5 },
        meanValue: Array<number>(3).fill(127 / 255),
        stdDev: Array<number>(3).fill(128 / 255),
      },
    },
    {
      name: 'MobileNet v2 (TFLite)',
      kind: 'classifier',
      sees: 'classes',
      file: 'mobilenet_v2_1.0_224_quant.tflite',
      labels: 'imagenet1000.labels.txt',
      config: { remapInputNames: { input: 'image' } },
    },
  ],
];

/** Opens a model. Its outputs are cached, because many faults give the same input tensor. */
export async function openSolverModel(recipe: Recipe, data: URL, root: string): Promise<SolverModel> {
  const isBuiltin = recipe.name.startsWith('built-in');
  const path = isBuiltin ? `${root}public/builtin/models/${recipe.file}` : new URL(`models/${recipe.file}`, data);
  const bytes = new Uint8Array(await readFile(path));
  const listed = await labelsOf(recipe, data);
  const { name, kind, sees } = recipe;
  if (recipe.config) {
    const labels = name.startsWith('SSD')
      ? listed.slice(1)
      : name.startsWith('MobileNet')
        ? ['background', ...listed]
        : listed;
    const session = remembering(await openSession(bytes));
    const config = visionServiceConfig(recipe.config);
    return {
      name,
      kind,
      sees,
      session,
      config,
      labels,
      ownLabels: null,
      statedFeeding: feedingSaidOf(bytes, isBuiltin),
    };
  }
  const fitted = fitModel(bytes, { labels: listed, options: recipe.options ?? {} });
  const { visionServices } = parseMachineConfig(JSON.stringify(fitted.configuration)).config;
  const labels = fitted.labels ?? listed;
  const session = remembering(await openSession(fitted.model));
  const feeding = statedFeeding(readModelFile(fitted.model).summary.metadata);
  return { name, kind, sees, session, config: visionServices[0]!, labels, ownLabels: labels, statedFeeding: feeding };
}

/** The preprocessing that the file states, otherwise the usual one of its family. For built-in models the app ignores the family. */
function feedingSaidOf(bytes: Uint8Array, isBuiltin: boolean): StatedFeeding | null {
  const { summary } = readModelFile(bytes);
  const stated = statedFeeding(summary.metadata);
  if (stated || isBuiltin || summary.format.name !== 'onnx') return stated;
  const recognition = recogniseModel(bytes);
  return recognition.kind === 'family' ? recognition.feeding : null;
}

async function labelsOf({ labels }: Recipe, data: URL): Promise<readonly string[]> {
  return typeof labels === 'string' ? parseLabels(await readFile(new URL(`models/${labels}`, data), 'utf8')) : labels;
}

function remembering(session: InferenceSession): InferenceSession {
  const known = new Map<string, ReturnType<InferenceSession['run']>>();
  return {
    inputs: session.inputs,
    outputs: session.outputs,
    run: (feeds) => {
      const hash = createHash('sha1');
      for (const [name, { shape, data }] of Object.entries(feeds))
        hash.update(`${name} ${shape.join()}`).update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      const key = hash.digest('base64');
      const answer = known.get(key) ?? session.run(feeds).then(copied);
      known.set(key, answer);
      return answer;
    },
    release: () => session.release(),
  };
}

/** Copies outputs, because the runtime may reuse their memory. */
function copied(outputs: Awaited<ReturnType<InferenceSession['run']>>): typeof outputs {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, tensor]) => [name, { ...tensor, data: tensor.data.slice() }]),
  );
}
