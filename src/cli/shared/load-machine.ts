import { readFile } from 'node:fs/promises';
import {
  anyCamera,
  type CameraConfig,
  findEntry,
  type MachineConfig,
  type ParsedMachineConfig,
  refusalsOfAll,
  wholenessOf,
} from '../../machine/config/face/machine-config.ts';
import { isDrawing, type MachineCamera, stepRecords, withMachineCamera } from '../../machine/config/face/cameras.ts';
import { cameraChain } from '../../machine/vision/face/cameras.ts';
import type { Frame } from '../../machine/vision/face/frames.ts';
import { createMachine, type Machine } from '../../machine/vision/face/runs.ts';
import { sessionOpener } from '../../platform/node/open-session.ts';
import type { TerminalRuntime } from '../../platform/ports/inference-runtime.ts';
import { overlayFace, type TextFace } from '../../machine/vision/face/traces.ts';
import { requireClassifier, requireDetector, type VisionModel } from '../../machine/vision/face/filters.ts';
import { CliError } from '../record/cli-error.ts';
import { loadConfig, refuseProblemsOf } from './load-config.ts';
import { loadKernel } from './load-kernel.ts';
import { loadModels, pathFor, type LoadedModel, type ModelFiles } from './load-model.ts';
import { UsageError } from '../record/usage-error.ts';

export interface LoadedMachine {
  readonly machine: Machine;
  /** that the machine is built of, whatever becomes of its file */
  readonly config: MachineConfig;
  /** by vision service: those that were loaded from files */
  readonly loaded: Readonly<Record<string, LoadedModel>>;
  /** what runs these models, for results; null: there is none */
  readonly runtime: string | null;
  readonly font: TextFace;
  /** the camera that is looked through; null: frames are seen as they are */
  readonly cameraName: string | null;
  /** The frame as the camera gives it (null = as it is). @throws StepError */
  seenThrough(cameraName: string | null, frame: Frame): Promise<Frame>;
}

export interface MachineParts extends ModelFiles {
  readonly visionName: string | null;
  /** models that run elsewhere, by vision service */
  readonly borrowed?: Readonly<Record<string, VisionModel>>;
  /** null = none; '' = the vision service's own */
  readonly cameraName: string | null;
  /** null = what the configuration says of its cameras */
  readonly source: MachineCamera | null;
  /** fail where the machine refuses the whole configuration, instead of running the rest */
  readonly strict: boolean;
  /** null: native where its package is installed, else WASM */
  readonly runtime: TerminalRuntime | null;
}

export interface MachineFiles extends MachineParts {
  readonly configPath: string;
}

/** @throws CliError, MachineError, InferenceError */
export async function loadMachine(files: MachineFiles, say: (text: string) => void): Promise<LoadedMachine> {
  return buildMachine(await loadConfig(files.configPath), files, say);
}

/**
 * Builds the part of a machine that a command needs: the vision service, the way of its camera, and the services that the steps on it name.
 * Everything that is wrong with them is found here, before the first frame.
 *
 * @throws CliError, MachineError, InferenceError
 */
export async function buildMachine(
  parsed: ParsedMachineConfig,
  files: MachineParts,
  say: (text: string) => void,
): Promise<LoadedMachine> {
  const [refusal] = refusalsOfAll(parsed);
  if (refusal) {
    const message = `The machine refuses this whole configuration, because of "${refusal.resource}": ${refusal.message}.`;
    if (files.strict) throw new CliError('refused', `${message} Fix it, or run the rest with --no-strict.`);
    say(message);
  }
  const cameraName = files.cameraName === '' ? ownCamera(parsed, files.visionName) : files.cameraName;
  if (files.visionName !== null) {
    refuseProblemsOf(parsed, [files.visionName]);
    sayIfCameraIsNotShown(parsed, files.visionName, say);
  }
  if (cameraName !== null) refuseProblemsOf(parsed, camerasOnTheWay(parsed, cameraName));

  const steps = cameraName === null ? [] : cameraChain(parsed.config.cameras, cameraName).steps.map(({ step }) => step);
  const drawing = steps.filter(isDrawing);
  const stepServices = drawing.map(({ attributes }) => attributes.serviceName);
  const services = [...new Set([...(files.visionName === null ? [] : [files.visionName]), ...stepServices])];
  refuseProblemsOf(parsed, services);

  expectModel(parsed.config, files);
  const sessions = sessionOpener(files.runtime, say);
  const loaded = await loadModels(parsed, services, files, files.visionName, { sessions, say });
  const config = withMachineCamera(parsed.config, files.source);
  const font = overlayFace(await readFontFile());
  let current: Frame | null = null;
  const machine = createMachine(
    config,
    { ...loaded, ...files.borrowed },
    { font, frameOf: () => Promise.resolve(current!), stretchKernel: await loadKernel() },
  );
  for (const service of services) await machine.service(service);
  for (const { type, attributes } of drawing) {
    const probed = await machine.service(attributes.serviceName);
    required[stepRecords[type].draws](probed);
  }
  return {
    machine,
    config,
    loaded,
    runtime: sessions.runtime,
    font,
    cameraName,
    async seenThrough(name, frame) {
      if (name === null) return frame;
      current = frame;
      return machine.frameFromCamera(name === '' ? cameraName! : name);
    },
  };
}

/** A service with a model needs its file, and a colour detector has none. @throws UsageError, CliError */
function expectModel({ visionServices }: MachineConfig, { visionName, modelPaths, borrowed = {} }: MachineParts): void {
  for (const { name, color } of visionServices) {
    const isGiven = pathFor(modelPaths, name, visionName) !== null;
    if (color && isGiven)
      throw new CliError('no-model-wanted', `"${name}" is a colour detector, which has no model: leave out --model.`);
    if (!color && !isGiven && name === visionName && !Object.hasOwn(borrowed, name))
      throw new UsageError(`--model FILE is missing, the model of vision service "${name}".`);
  }
}

/** In a whole configuration the service would not be built. */
function sayIfCameraIsNotShown(parsed: ParsedMachineConfig, visionName: string, say: (text: string) => void): void {
  const wholeness = wholenessOf(parsed.document);
  const camera = parsed.config.visionServices.find(({ name }) => name === visionName)?.cameraName ?? '';
  if (camera === '' || wholeness.whole || findEntry(parsed.entries, camera, ...anyCamera)) return;
  say(
    `${visionName}: camera_name "${camera}" is not a camera of this text, which is accepted because ${wholeness.because}.`,
  );
}

function ownCamera({ config }: ParsedMachineConfig, visionName: string | null): string {
  const service = config.visionServices.find(({ name }) => name === visionName);
  if (service && service.cameraName !== '') return service.cameraName;
  throw new CliError(
    'no-camera',
    `No camera to look through: --camera is empty, and vision service "${visionName}" has no camera_name.`,
  );
}

/** Names on the way to the source as far as the text gives them, also of cameras that could not be built. */
function camerasOnTheWay({ config, entries }: ParsedMachineConfig, cameraName: string): string[] {
  const way: string[] = [];
  for (let name = cameraName; name !== '' && !way.includes(name); name = sourceOf(config.cameras, name) ?? '')
    way.push(name);
  const last = entries.find(({ name }) => name === way.at(-1));
  const beyond = last?.attributes['source'] ?? last?.attributes['camera'];
  return typeof beyond === 'string' ? [...way, beyond] : way;
}

function sourceOf(cameras: readonly CameraConfig[], name: string): string | undefined {
  const camera = cameras.find((candidate) => candidate.name === name);
  return camera && camera.kind !== 'source' ? camera.source : undefined;
}

const required = { detector: requireDetector, classifier: requireClassifier } as const;

export async function readFontFile(): Promise<ArrayBuffer> {
  // Beside the sources and beside the bundle it lies in public/fonts of the package.
  const bytes = await readFile(new URL('../../../public/fonts/Go-Regular.ttf', import.meta.url));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}
