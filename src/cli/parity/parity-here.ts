import { findEntry, modelServiceOf, type ParsedMachineConfig } from '../../machine/config/face/machine-config.ts';
import { borrowSession } from '../../remote/live-machine/borrow-session.ts';
import { areLossless } from '../../remote/live-machine/capture-both.ts';
import {
  answersOf,
  modelRunOf,
  type ServiceTrials,
  type TrialPorts,
} from '../../remote/live-machine/causes/try-services.ts';
import { compareSteps } from '../../remote/live-machine/compare-steps.ts';
import type { StepsJudged } from '../../remote/live-machine/judge-steps.ts';
import type { ModelFacts } from '../../remote/live-machine/likely-reasons.ts';
import type { AnswerHere, LiveImage, LiveMachine, VisionAbilities } from '../../remote/live-machine/live-machine.ts';
import { resourceApis } from '../../remote/live-machine/live-machine.ts';
import { decodeStill } from '../../platform/decode/still.ts';
import { compareFrames, type Frame } from '../../machine/vision/face/frames.ts';
import { parseLabels } from '../../machine/vision/face/results.ts';
import { hasModel, type ServiceFilterRule, type VisionModel } from '../../machine/vision/face/filters.ts';
import type { Machine } from '../../machine/vision/face/runs.ts';
import { CliError } from '../record/cli-error.ts';
import { readTextFile } from '../shared/load-config.ts';
import { loadKernel } from '../shared/load-kernel.ts';
import { buildMachine } from '../shared/load-machine.ts';
import { pathFor } from '../shared/load-model.ts';
import type { ParityArguments } from './parity-record.ts';

/** What a machine is compared with. */
export interface Here {
  readonly machine: Machine;
  readonly model: ModelFacts;
  readonly rule: ServiceFilterRule;
  readonly backend: string;
  readonly isModelBorrowed: boolean;
  /** null: the service has no model, and nothing else to try */
  readonly trials: ServiceTrials | null;
}

/** Frames come through the machine's camera already, and the machine has accepted its configuration. */
const asSent = { cameraName: null, source: null, strict: false } as const;

/** @throws CliError, MachineError, InferenceError */
export async function loadHere(
  live: LiveMachine,
  parsed: ParsedMachineConfig,
  { visionName, modelPaths, labelPaths, runtime }: ParityArguments,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<Here> {
  const isColorDetector = findEntry(parsed.entries, visionName, 'color-detector') !== undefined;
  if (isColorDetector) return colorDetectorHere(parsed, visionName, say);
  const isHere = modelPaths.unnamed !== null || visionName in modelPaths.byName;
  const modelName = await modelServiceName(live, parsed, visionName, signal);
  const there = modelName === null ? null : await live.modelMetadata(modelName, signal);
  const borrowed: Record<string, VisionModel> = {};
  if (!isHere) {
    if (modelName === null) {
      throw new CliError(
        'no-model',
        `Which model service "${visionName}" uses is not known here: give --config with its mlmodel_name, or --model FILE.`,
      );
    }
    const labelsPath = pathFor(labelPaths, visionName, visionName);
    const labels = labelsPath === null ? null : parseLabels(await readTextFile(labelsPath, 'label file'));
    borrowed[visionName] = { session: await borrowSession(live, modelName), labels };
  }
  const parts = { ...asSent, visionName, modelPaths, labelPaths, borrowed, runtime };
  const { machine, font, runtime: ranBy } = await buildMachine(parsed, parts, say);
  const probed = await machine.service(visionName);
  if (!hasModel(probed)) return colorDetectorHere(parsed, visionName, say);
  const { config: rule, session, labels } = probed.service;
  const { inputs, outputs } = session;
  const backend = ranBy ?? `model service "${modelName}" of the machine`;
  const model: TrialPorts = {
    session,
    ports: { font, stretchKernel: await loadKernel(), turn: (task) => task(), nowMs: () => 0 },
  };
  const present = { config: rule, labels };
  const trials: ServiceTrials = {
    present,
    inputs,
    answers: (image, tried, asked) => answersOf(decoded(image), tried, asked, model),
    run: (image) => modelRunOf(decoded(image), present, model),
    inferThere: isHere && modelName !== null ? (feeds) => live.infer(modelName, feeds, signal) : null,
  };
  return {
    machine,
    backend,
    isModelBorrowed: !isHere,
    rule,
    model: { inputs, outputs, there: isHere ? there : null },
    trials,
  };
}

/** A colour detector: what the configuration says is all that there is of it. */
async function colorDetectorHere(
  parsed: ParsedMachineConfig,
  visionName: string,
  say: (text: string) => void,
): Promise<Here> {
  const none = { unnamed: null, byName: {} };
  const parts = { ...asSent, visionName, modelPaths: none, labelPaths: none, runtime: null };
  const { machine } = await buildMachine(parsed, parts, say);
  return {
    machine,
    backend: 'colour detector',
    isModelBorrowed: false,
    rule: (await machine.service(visionName)).service.config,
    model: { inputs: [], outputs: [], there: null },
    trials: null,
  };
}

/** The model service behind a vision service: as the configuration says, else the only one that there is. */
async function modelServiceName(
  live: LiveMachine,
  parsed: ParsedMachineConfig,
  visionName: string,
  signal: AbortSignal,
): Promise<string | null> {
  const names = (await live.resources(signal))
    .filter(({ api }) => api === resourceApis.mlmodel)
    .map(({ name }) => name);
  const said = modelServiceOf(parsed.entries, visionName)?.name;
  if (said !== undefined && names.includes(said)) return said;
  return names.length === 1 ? names[0]! : null;
}

/** What the bytes that the machine sent give here, through the same operations. */
export async function answerHere(
  machine: Machine,
  visionName: string,
  { detects, classifies }: VisionAbilities,
  image: LiveImage,
): Promise<AnswerHere> {
  const frame = decoded(image);
  return {
    widthPx: frame.widthPx,
    heightPx: frame.heightPx,
    detections: detects ? await machine.detections(visionName, frame) : null,
    classifications: classifies ? await machine.classifications(visionName, frame, 0) : null,
  };
}

/** @throws CliError unsupported-format */
function decoded({ bytes, mediaType }: LiveImage): Frame {
  const frame = decodeStill(bytes);
  if (frame) return frame;
  throw new CliError(
    'unsupported-format',
    `The machine's camera gives ${mediaType || 'images of no kind'}, and parity compares JPEG and PNG.`,
  );
}

/** Frames come through the camera's steps already: what these do is compared from the source camera on. */
export async function stepsOf(
  live: LiveMachine,
  parsed: ParsedMachineConfig,
  command: ParityArguments,
  { defaultCamera }: VisionAbilities,
  signal: AbortSignal,
): Promise<StepsJudged> {
  const cameraName = command.cameraName || defaultCamera;
  return compareSteps(
    live,
    {
      cameras: command.configPath === null ? null : parsed.config.cameras,
      cameraName,
      async compare(both) {
        const { source, output, after, isOneFrame } = both;
        const { modelPaths, labelPaths, runtime } = command;
        const parts = { ...asSent, visionName: null, modelPaths, labelPaths, cameraName, runtime };
        const { seenThrough } = await buildMachine(parsed, parts, () => {});
        const [ours, theirs] = [await seenThrough(cameraName, decoded(source)), decoded(output)];
        const stir = isOneFrame ? null : compareFrames(ours, await seenThrough(cameraName, decoded(after)));
        return {
          hereSize: ours,
          thereSize: theirs,
          difference: compareFrames(ours, theirs),
          stirLevels: isOneFrame ? 0 : (stir?.blockLevels ?? null),
          isLossless: areLossless(both),
        };
      },
    },
    signal,
  );
}
