import { readFile } from 'node:fs/promises';
import { readFontFile } from '../../src/cli/shared/load-machine.ts';
import { labelFileOf } from '../../src/machine/config/parse/label-file.ts';
import { parseMachineConfig, type ParsedMachineConfig } from '../../src/machine/config/parse/parse-machine-config.ts';
import { decodeStill } from '../../src/platform/decode/still.ts';
import { openNodeSession } from '../../src/platform/node/onnxruntime.ts';
import { parseLabels } from '../../src/machine/vision/decode/labels.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import type { InferenceSession } from '../../src/machine/vision/inference/inference-session.ts';
import { createMachine, type Machine } from '../../src/machine/vision/machine.ts';
import { overlayFace } from '../../src/machine/vision/overlay/overlay-face.ts';
import { referenceStretchKernel } from '../../src/machine/vision/preprocess/preprocess.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';
import { requireSomeAbility, type VisionModel } from '../../src/machine/vision/vision-service.ts';
import { nothing, type Answer, type FrameAnswer, type Result } from './answer.ts';
import { modelBytes, type ModelRecipe } from './cases/model-recipes.ts';
import { visionName, type SeededCase } from './cases/seeded-case.ts';
import { premultiplied } from './premultiplied.ts';

/** Runs our own code like the command line: with a configuration's text and the bytes of files. Equal models share a session. */
export async function openSightglass() {
  const font = overlayFace(await readFontFile());
  const sessions = new Map<string, Promise<InferenceSession>>();

  const sessionOf = (recipe: ModelRecipe) => {
    const key = JSON.stringify(recipe);
    const known = sessions.get(key) ?? modelBytes(recipe).then(openNodeSession);
    sessions.set(key, known);
    return known;
  };

  return async (seeded: SeededCase, config: string, frames: readonly Uint8Array[]): Promise<Answer> => {
    const parsed = parseMachineConfig(config);
    const [problem] = parsed.problems;
    if (problem) return refused(problem);
    let tensor: Tensor | null = null;
    let source: Frame;
    let machine: Machine;
    try {
      machine = createMachine(parsed.config, await modelsOf(parsed, seeded, sessionOf), {
        font,
        frameOf: () => Promise.resolve(source),
        stretchKernel: {
          stretchToTensor: (frame, spec) => (tensor = referenceStretchKernel.stretchToTensor(frame, spec)),
        },
      });
      for (const { name, kind } of parsed.config.cameras) if (kind === 'transform') machine.camera(name);
      for (const { name } of parsed.config.visionServices) requireSomeAbility(await machine.service(name));
    } catch (error) {
      return refused(error as Error);
    }
    const answers: FrameAnswer[] = [];
    for (const bytes of frames) {
      try {
        const still = decodeStill(bytes);
        if (!still) throw new Error('neither PNG nor JPEG');
        source = still;
        const seen = seeded.camera === '' ? source : await machine.frameFromCamera(seeded.camera);
        answers.push({ refusal: null, ...(await answerTo(seeded, machine, seen, () => tensor!)) });
      } catch (error) {
        answers.push({ ...nothing, refusal: (error as Error).message });
      }
    }
    return { refusal: null, frames: answers };
  };
}

const refused = ({ message }: { readonly message: string }): Answer => ({ refusal: message, frames: [] });

async function answerTo({ op, top }: SeededCase, machine: Machine, seen: Frame, tensor: () => Tensor) {
  const size = { widthPx: seen.widthPx, heightPx: seen.heightPx };
  if (op === 'transform') return { ...nothing, ...size, bytes: premultiplied(seen) };
  const results: Result[] =
    op === 'detect'
      ? (await machine.detections(visionName, seen)).map(({ label, score, xMin, yMin, xMax, yMax }) => ({
          label,
          score,
          box: [xMin, yMin, xMax, yMax],
        }))
      : (await machine.classifications(visionName, seen, top)).map((result) => ({ ...result, box: [] }));
  const { abilities } = await machine.service(visionName);
  const { data } = tensor();
  return {
    ...size,
    results,
    bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    ability: [abilities.classifier.able, abilities.detector.able] as const,
  };
}

async function modelsOf(
  { config, entries }: ParsedMachineConfig,
  { models }: SeededCase,
  sessionOf: (recipe: ModelRecipe) => Promise<InferenceSession>,
): Promise<Record<string, VisionModel>> {
  const opened: Record<string, VisionModel> = {};
  for (const { name } of config.visionServices) {
    const recipe = models[name];
    if (!recipe) continue;
    const file = labelFileOf(entries, name);
    const text = file ? readFile(file.path, 'utf8') : null;
    // A missing label file is an error only if the vision service names it, not if only the model service does.
    const labels =
      file?.namedBy.kind === 'mlmodel-vision' ? text!.then(parseLabels) : text?.then(parseLabels, () => null);
    opened[name] = { session: await sessionOf(recipe), labels: (await labels) ?? null };
  }
  return opened;
}
