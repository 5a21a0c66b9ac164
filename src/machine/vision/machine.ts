import type { MachineConfig } from '../config/face/machine-config.ts';
import { cameraChain, type CameraChain } from './camera-chain.ts';
import type { Classification, Detection } from './results/detections.ts';
import { errorCode, errorMessage } from './errors/error-message.ts';
import { detectionsAt } from './filter/filter-detections.ts';
import type { Frame } from './frame/frame.ts';
import { pixelsOf } from './gpu/gpu-frame.ts';
import { oneAtATime, type Turn } from '../../base/schedule/one-at-a-time.ts';
import { MachineError } from './machine-error.ts';
import type { TextFace } from './overlay/font/text-face.ts';
import { applySteps, classify, detect, runFrame, type FramePlan, type PipelinePorts } from './pipeline.ts';
import { referenceStretchKernel } from './preprocess/preprocess.ts';
import type { StretchKernel } from './preprocess/stretch-kernel.ts';
import { probe } from './probe.ts';
import type { RunResult, Stage } from './run-result.ts';
import { StepError } from './errors/step-error.ts';
import { cropToEven } from './transforms/crop-to-even.ts';
import type { ReadFrame } from './yuv/yuv-frame.ts';
import {
  buildVisionService,
  colorService,
  requireSomeAbility,
  type RunnableService,
  type VisionModel,
} from './vision-service.ts';

export interface MachineOptions {
  /** Returns the next frame of a camera that is no transform camera. Only the …FromCamera operations need it. */
  readonly frameOf?: (cameraName: string) => Promise<Frame>;
  readonly font: TextFace;
  /** default: the TypeScript reference */
  readonly stretchKernel?: StretchKernel;
  /** Shared between machines that share sessions or a kernel; default: a queue of this machine's own. */
  readonly turn?: Turn;
  /** default: a clock that never advances, so that every timing is 0 */
  readonly nowMs?: () => number;
}

/**
 * A machine configuration with its models, ready to run frames. Calls may overlap; shared resources are queued
 * inside.
 */
export interface Machine {
  /** Detections of a frame through the service's filter, in the model's order. */
  detections(serviceName: string, frame: Frame): Promise<Detection[]>;
  /** '': the camera in the service's camera_name */
  detectionsFromCamera(serviceName: string, cameraName: string): Promise<Detection[]>;
  /** Filtered, then the top n; n <= 0: all, in label order. */
  classifications(serviceName: string, frame: Frame, n: number): Promise<Classification[]>;
  classificationsFromCamera(serviceName: string, cameraName: string, n: number): Promise<Classification[]>;
  /** The next frame of a camera, after its steps. */
  frameFromCamera(cameraName: string): Promise<Frame>;

  /**
   * What a service can do with its model; probed once.
   * @throws MachineError, InferenceError if the service cannot be built
   */
  service(serviceName: string): Promise<RunnableService>;
  /** Follows a camera to its source. @throws MachineError */
  camera(cameraName: string): CameraChain;
  /**
   * Runs one frame up to raw results. It does not reject: a failure is part of the answer, with the stages before
   * it.
   */
  run(request: FrameRequest): Promise<FrameRun>;
}

export interface FrameRequest {
  /** replaces the frames of the camera at the beginning of the chain */
  readonly frame: ReadFrame;
  /** null: no camera; the frame goes to the service unchanged */
  readonly cameraName: string | null;
  /** null: only the camera's steps are run */
  readonly serviceName: string | null;
  /** the pictures that a person will look at, as in a frame's plan */
  readonly looks?: FramePlan['looks'];
}

export interface FrameRun {
  /** pictures so far: the source first (as the transform camera reads it), then one for each step */
  readonly stages: readonly Stage[];
  /** null: something failed */
  readonly result: RunResult | null;
  readonly failure: FrameFailure | null;
}

export interface FrameFailure {
  readonly code: string;
  readonly message: string;
  /** the camera and step, or the vision service, that failed */
  readonly where: string;
  readonly cause: unknown;
}

/**
 * Combines a configuration with its models. Services are built and probed when they are first needed.
 * @param config what `parseMachineConfig` read
 * @param models by the name of the vision service that uses them
 * @param options where camera frames come from, the overlay's font, and what several machines share
 * @returns the machine's operations
 * @example
 * import { parseMachineConfig } from '../config/parse/parse-machine-config.ts';
 * import { patternFrame } from './frame/pattern-frame.ts';
 * const service = { name: 'pets', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'model' } };
 * const { config } = parseMachineConfig(JSON.stringify({ services: [service] }));
 * const session = {
 *   inputs: [{ name: 'image', dtype: 'uint8', shape: [1, 4, 4, 3], symbols: [] }],
 *   outputs: [{ name: 'probability', dtype: 'float32', shape: [1, 2], symbols: [] }],
 *   run: async () => ({ probability: { dtype: 'float32', shape: [1, 2], data: Float32Array.of(0.25, 0.75) } }),
 *   release: async () => {},
 * };
 * const machine = createMachine(config, { pets: { session, labels: ['cat', 'dog'] } }, { font: null });
 * await machine.classifications('pets', patternFrame('rgba8', 9, 7), 1); // => [{ label: 'dog', score: 0.75 }]
 */
export function createMachine(
  config: MachineConfig,
  models: Readonly<Record<string, VisionModel>>,
  options: MachineOptions,
): Machine {
  const ports: PipelinePorts = {
    stretchKernel: options.stretchKernel ?? referenceStretchKernel,
    font: options.font,
    turn: options.turn ?? oneAtATime(),
    nowMs: options.nowMs ?? (() => 0),
  };
  const probed = new Map<string, Promise<RunnableService>>();

  function serviceNamed(name: string): Promise<RunnableService> {
    const known = probed.get(name);
    if (known) return known;
    const service = buildAndProbe(name).catch((error: unknown) => {
      probed.delete(name);
      throw error;
    });
    probed.set(name, service);
    return service;
  }

  async function buildAndProbe(name: string): Promise<RunnableService> {
    const serviceConfig = config.visionServices.find((candidate) => candidate.name === name);
    if (!serviceConfig) throw new MachineError('unknown-service', unknownService(config, name), name);
    if (serviceConfig.color) return colorService(serviceConfig, serviceConfig.color);
    const model = models[name];
    if (!model)
      throw new MachineError(
        'no-model',
        `Vision service "${name}" has no model here; load one for "${serviceConfig.mlModelName}".`,
        name,
      );
    const service = buildVisionService(serviceConfig, model);
    return { service, abilities: await probe(service, ports) };
  }

  function cameraOf(serviceName: string, cameraName: string): string {
    if (cameraName !== '') return cameraName;
    const service = config.visionServices.find(({ name }) => name === serviceName);
    if (!service) throw new MachineError('unknown-service', unknownService(config, serviceName), serviceName);
    if (service.cameraName !== '') return service.cameraName;
    throw new MachineError(
      'no-camera',
      `No camera to look through: none was named, and vision service "${serviceName}" has no camera_name.`,
      serviceName,
    );
  }

  async function frameFromCamera(cameraName: string): Promise<Frame> {
    const { sourceName, steps, cropsToEven } = cameraChain(config.cameras, cameraName);
    if (!options.frameOf)
      throw new MachineError('no-camera', `Nothing gives frames for camera "${sourceName}".`, sourceName);
    const source = await options.frameOf(sourceName);
    const read = cropsToEven ? cropToEven(source) : source;
    return pixelsOf(await applySteps(read, { steps: steps.map(({ step }) => step), serviceNamed }, ports));
  }

  async function detections(serviceName: string, frame: Frame): Promise<Detection[]> {
    const kept = await detect(frame, await serviceNamed(serviceName), ports);
    return detectionsAt(kept);
  }

  async function classifications(serviceName: string, frame: Frame, n: number): Promise<Classification[]> {
    return classify(frame, await serviceNamed(serviceName), n, ports);
  }

  async function run({ frame: source, cameraName, serviceName, looks }: FrameRequest): Promise<FrameRun> {
    const stages: Stage[] = [];
    let chain: CameraChain = { sourceName: '', steps: [], cropsToEven: false };
    try {
      if (cameraName !== null) chain = cameraChain(config.cameras, cameraName);
      const steps = chain.steps.map(({ step }) => step);
      const frame = chain.cropsToEven ? cropToEven(source) : source;
      const vision =
        serviceName === null ? null : await usableService(serviceName).catch((error: unknown) => ({ error }));
      if (vision === null || 'service' in vision) {
        const result = await runFrame(frame, { steps, vision, serviceNamed, ...(looks && { looks }) }, ports, stages);
        return { stages, result, failure: null };
      }
      // The service cannot be built, but its camera may work: its pictures are still worth showing.
      await applySteps(frame, { steps, serviceNamed }, ports, stages);
      throw vision.error;
    } catch (error) {
      return { stages, result: null, failure: describeFailure(error, chain, serviceName ?? '') };
    }
  }

  async function usableService(name: string): Promise<RunnableService> {
    const vision = await serviceNamed(name);
    requireSomeAbility(vision);
    return vision;
  }

  return {
    detections,
    classifications,
    frameFromCamera,
    run,
    service: serviceNamed,
    camera: (cameraName) => cameraChain(config.cameras, cameraName),
    detectionsFromCamera: async (serviceName, cameraName) =>
      detections(serviceName, await frameFromCamera(cameraOf(serviceName, cameraName))),
    classificationsFromCamera: async (serviceName, cameraName, n) =>
      classifications(serviceName, await frameFromCamera(cameraOf(serviceName, cameraName)), n),
  };
}

function describeFailure(error: unknown, chain: CameraChain, serviceName: string): FrameFailure {
  const failedStep = error instanceof StepError ? chain.steps[error.step] : undefined;
  const cause = error instanceof StepError ? error.cause : error;
  const where = failedStep
    ? `camera "${failedStep.camera}", step ${failedStep.position + 1} (${failedStep.step.type})`
    : cause instanceof MachineError
      ? cause.resource
      : serviceName;
  return { code: errorCode(cause, 'failed'), message: errorMessage(cause), where, cause };
}

function unknownService(config: MachineConfig, name: string): string {
  const known = config.visionServices.map((service) => `"${service.name}"`).join(', ') || 'none';
  return `There is no vision service "${name}". Vision services in the configuration: ${known}.`;
}
