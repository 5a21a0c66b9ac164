import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as ort from 'onnxruntime-web';
import { fittedFeedingKey } from '../src/machine/vision/inference/stated-feeding.ts';
import { fitModel } from '../src/models/fit/fit-model.ts';
import { asSigned } from '../src/machine/vision/preprocess/normalizations.ts';
import { buildFaceClassifier, buildFaceDetector } from './models/blazeface-graph.ts';
import { findFacesPlainly, type Face } from './models/blazeface-reference.ts';
import type { PackedPicture } from './models/read-photograph.ts';

/** The built graph and the plain TypeScript may differ by this much, in scores and in proportional coordinates. */
const tolerance = 1e-4;
const detectorLabels = ['face'];
const classifierLabels = ['no face', 'face'];

export interface BuiltModel {
  readonly id: 'face-detector' | 'face-classifier' | 'object-detector';
  readonly file: string;
  readonly labels: readonly string[];
}

/**
 * Builds face-detector.onnx and face-classifier.onnx in `outDir` from BlazeFace's raw model and checks both against it
 * on `photographs` and as on the machine's probe. Throws, and writes nothing, when they differ by more than the tolerance.
 */
export async function buildModels(
  raw: Uint8Array,
  photographs: readonly PackedPicture[],
  outDir: string,
): Promise<BuiltModel[]> {
  const detector = buildFaceDetector(raw, metadata(detectorLabels, 'Finds faces.'));
  const classifier = buildFaceClassifier(raw, metadata(classifierLabels, 'Says whether there is a face.'));
  await check(raw, detector, classifier, photographs);

  await mkdir(outDir, { recursive: true });
  const built: BuiltModel[] = [];
  for (const [id, bytes, labels] of [
    ['face-detector', detector, detectorLabels],
    ['face-classifier', classifier, classifierLabels],
  ] as const)
    built.push(await writeModel(id, bytes, labels, outDir));
  return built;
}

/**
 * Builds object-detector.onnx in `outDir`: NanoDet-g, made machine-ready as anybody's model is, by `fit`.
 * @throws where `fit` takes it for another family, or lacks a label
 */
export async function buildObjectDetector(
  raw: Uint8Array,
  labels: readonly string[],
  outDir: string,
): Promise<BuiltModel> {
  const fitted = fitModel(raw, { labels });
  if (fitted.family.id !== 'nanodet' || fitted.labels?.length !== labels.length) {
    throw new Error(`NanoDet-g was taken for ${fitted.family.name} with ${fitted.labels?.length} labels.`);
  }
  await mkdir(outDir, { recursive: true });
  return writeModel('object-detector', fitted.model, labels, outDir);
}

async function writeModel(
  id: BuiltModel['id'],
  bytes: Uint8Array,
  labels: readonly string[],
  outDir: string,
): Promise<BuiltModel> {
  await writeFile(join(outDir, `${id}.onnx`), bytes);
  await writeFile(join(outDir, `${id}.labels.txt`), labels.map((label) => `${label}\n`).join(''));
  return { id, file: `${id}.onnx`, labels };
}

function metadata(labels: readonly string[], description: string): Record<string, string> {
  return {
    description: `${description} BlazeFace (256×256, long range) with letterbox, decoding and suppression in the graph.`,
    names: `{${labels.map((label, i) => `${i}: '${label}'`).join(', ')}}`,
    author: 'Google (MediaPipe); ONNX conversion by Katsuya Hyodo and Keijiro Takahashi; decoding graph by Sightglass',
    license: 'Apache-2.0',
    [fittedFeedingKey]: JSON.stringify({ input_image_mean_value: asSigned.mean, input_image_std_dev: asSigned.stdDev }),
  };
}

async function check(
  raw: Uint8Array,
  detector: Uint8Array,
  classifier: Uint8Array,
  photographs: readonly PackedPicture[],
): Promise<void> {
  ort.env.wasm.numThreads = 1;
  // The raw model carries two initializers that nothing reads; the runtime warns about each.
  const open = (bytes: Uint8Array) => ort.InferenceSession.create(bytes, { logSeverityLevel: 3 });
  const [rawSession, detectorSession, classifierSession] = [
    await open(raw),
    await open(detector),
    await open(classifier),
  ];
  try {
    for (const picture of [blackProbe(), ...photographs]) {
      const expected = await findFacesPlainly(rawSession, picture);
      const image = new ort.Tensor('float32', picture.values, [1, 3, picture.heightPx, picture.widthPx]);
      const size = `${picture.widthPx}×${picture.heightPx}`;
      assertSameFaces(expected, readFaces(await detectorSession.run({ image })), size);
      const { probability } = await classifierSession.run({ image });
      const best = expected[0]!.score;
      assertClose([1 - best, best], probability!.data as Float32Array, `${size}: probability`);
    }
  } finally {
    await Promise.all([rawSession, detectorSession, classifierSession].map((session) => session.release()));
  }
}

/** The picture with which the machine asks a model for its abilities: 5×5, black, -1 after mean and std. */
function blackProbe(): PackedPicture {
  return { widthPx: 5, heightPx: 5, values: new Float32Array(5 * 5 * 3).fill(-1) };
}

function readFaces({ location, category, score }: ort.InferenceSession.OnnxValueMapType): Face[] {
  const boxes = location!.data as Float32Array;
  const scores = Array.from(score!.data as Float32Array);
  if (boxes.length !== 4 * scores.length || category!.size !== scores.length) {
    throw new Error(
      `Face detector: ${boxes.length} coordinates and ${category!.size} categories for ${scores.length} scores.`,
    );
  }
  return scores.map((value, i) => ({ score: value, box: Array.from(boxes.subarray(4 * i, 4 * i + 4)) }));
}

function assertSameFaces(expected: readonly Face[], actual: readonly Face[], where: string): void {
  const flat = (faces: readonly Face[]) => faces.flatMap(({ score, box }) => [score, ...box]);
  assertClose(flat(expected), flat(actual), `${where}: faces`);
}

function assertClose(expected: readonly number[], actual: ArrayLike<number>, where: string): void {
  const difference = expected.reduce((worst, value, i) => Math.max(worst, Math.abs(value - (actual[i] ?? NaN))), 0);
  if (expected.length !== actual.length || !(difference <= tolerance)) {
    throw new Error(
      `${where}: ${actual.length} values for ${expected.length}, largest difference ${difference}, ` +
        `allowed ${tolerance}. Does the raw model still have the layout that blazeface-graph.ts describes?`,
    );
  }
}
