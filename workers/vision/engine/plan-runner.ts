import { runKey } from '../../../src/machine/config/face/machine-config.ts';
import type { AbilityReport, BenchPlan, DrawnResults, PlanReport, Problem, ServiceBeside } from '../protocol.ts';
import type { Frame, ReadFrame } from '../../../src/machine/vision/face/frames.ts';
import {
  createMachine,
  drawResults,
  type FrameRequest,
  type FrameRun,
  type Machine,
  type PipelinePorts,
  pixelsOf,
} from '../../../src/machine/vision/face/runs.ts';
import type { Turn } from '../../../src/base/schedule/one-at-a-time.ts';
import type { TextFace } from '../../../src/machine/vision/face/traces.ts';
import type { StretchKernel } from '../../../src/machine/vision/face/feeding.ts';
import {
  type Ability,
  hasModel,
  type ProbedService,
  type VisionModel,
} from '../../../src/machine/vision/face/filters.ts';
import type { LoadedModel } from './loaded-models.ts';

export interface PlanRunnerPorts {
  readonly modelOf: (modelId: string) => LoadedModel | undefined;
  readonly font: TextFace;
  readonly kernel: StretchKernel;
  readonly nowMs: () => number;
}

/** A run of the service beside the tuned one. */
export interface BesideRun {
  readonly beside: ServiceBeside;
  readonly run: FrameRun;
}

/** The runtime takes the tensor when it is called and queues by itself: the next frame may be packed meanwhile. */
const noQueue: Turn = (task) => task();

const noPlan: BenchPlan = {
  config: { cameras: [], visionServices: [] },
  visionName: null,
  cameraName: null,
  models: {},
  undistortPreview: false,
  shownStage: -1,
  thumbnails: false,
};

/** The plan in force, as a machine that runs frames. */
export class PlanRunner {
  readonly #ports: PlanRunnerPorts;
  #plan = noPlan;
  #machine: Machine;
  #builtFrom = '';

  constructor(ports: PlanRunnerPorts) {
    this.#ports = ports;
    this.#machine = this.#build(noPlan);
  }

  get plan(): BenchPlan {
    return this.#plan;
  }

  async set(plan: BenchPlan): Promise<PlanReport> {
    this.#plan = plan;
    const { config } = plan;
    const models = modelsOf(plan);
    const loaded = Object.values(models).map(({ modelId }) => this.#ports.modelOf(modelId)?.loadNumber ?? 0);
    const builtFrom = runKey(config, models, loaded);
    if (builtFrom !== this.#builtFrom) {
      this.#machine = this.#build(plan);
      this.#builtFrom = builtFrom;
    }
    const problems: Problem[] = [];
    const report = (error: unknown, where: string) => problems.push(problemOf(error, where));
    if (plan.cameraName !== null) {
      try {
        this.#machine.camera(plan.cameraName);
      } catch (error) {
        report(error, plan.cameraName);
      }
    }
    if (plan.visionName === null) return { detector: notAsked, classifier: notAsked, problems };
    try {
      const { detector, classifier } = (await this.#machine.service(plan.visionName)).abilities;
      return { detector: reportOf(detector), classifier: reportOf(classifier), problems };
    } catch (error) {
      report(error, plan.visionName);
      const { message: reason, code } = problemOf(error, '');
      const unable = { ...notAsked, reason, code };
      return { detector: unable, classifier: unable, problems };
    }
  }

  /**
   * Does not reject for an invalid configuration or a failing model: a failure is part of the answer. `cameraName`:
   * another camera than the plan's, as for pictures that do not come from the source on the stage.
   */
  async run(
    frame: ReadFrame,
    looks?: FrameRequest['looks'],
    cameraName: string | null = this.#plan.cameraName,
  ): Promise<FrameRun> {
    const { visionName: serviceName } = this.#plan;
    const run = await this.#machine.run({ frame, cameraName, serviceName, ...(looks && { looks }) });
    if (run.stages.length > 0) return run;
    // The service could not be built, but its frame is still worth showing.
    const { stages } = await this.#machine.run({ frame, cameraName, serviceName: null });
    return { ...run, stages: stages.length > 0 ? stages : [{ step: -1, type: '', frame }] };
  }

  /** Runs the service beside the tuned one on a frame; null: the plan has none. Does not reject, as `run`. */
  async runBeside(frame: ReadFrame): Promise<BesideRun | null> {
    const { beside } = this.#plan;
    if (!beside) return null;
    const { visionName: serviceName, cameraName } = beside;
    return { beside, run: await this.#machine.run({ frame, cameraName, serviceName }) };
  }

  /**
   * Applies all steps of a camera of the plan to a source frame; null: there is no camera.
   * @throws the steps' errors
   */
  async frameOf(frame: ReadFrame, cameraName: string | null): Promise<Frame> {
    const { stages, failure } = await this.#machine.run({ frame, cameraName, serviceName: null });
    if (failure) throw failure.cause;
    return pixelsOf(stages.at(-1)!.frame);
  }

  /**
   * Draws results into what a service sees of a source frame behind a camera, as the machine draws them.
   * @throws the steps' errors; TransformError where a box does not fit in the frame
   */
  async drawn(frame: ReadFrame, cameraName: string | null, results: DrawnResults): Promise<Frame> {
    return drawResults(await this.frameOf(frame, cameraName), results, this.#ports.font);
  }

  /** The tuned service with its probed abilities; null: there is none with a model, or it cannot be built. */
  async tunedService(): Promise<ProbedService | null> {
    const { visionName } = this.#plan;
    const service = visionName === null ? null : await this.#machine.service(visionName).catch(() => null);
    return service && hasModel(service) ? service : null;
  }

  /** Whether the tuned service hides its first label. */
  get dropsFirstLabel(): boolean {
    return this.#plan.models[this.#plan.visionName ?? '']?.dropsFirstLabel ?? false;
  }

  /** The ports for runs outside the plan. */
  get pipelinePorts(): PipelinePorts {
    const { font, kernel: stretchKernel, nowMs } = this.#ports;
    return { font, stretchKernel, turn: noQueue, nowMs };
  }

  #build(plan: BenchPlan): Machine {
    const { modelOf } = this.#ports;
    const visionModels: Record<string, VisionModel> = {};
    for (const [serviceName, { modelId, labels }] of Object.entries(modelsOf(plan))) {
      const model = modelOf(modelId);
      if (model) visionModels[serviceName] = { session: model.session, labels };
    }
    return createMachine(plan.config, visionModels, this.pipelinePorts);
  }
}

/** The models of all services, that of the service beside the tuned one included. */
const modelsOf = ({ models, beside }: BenchPlan): BenchPlan['models'] =>
  beside ? { ...models, [beside.visionName]: beside.model } : models;

const notAsked: AbilityReport = { able: false, tensors: [], warnings: [], reason: '', code: '' };

function reportOf({ able, tensors, warnings, reason, code }: Ability<unknown>): AbilityReport {
  return { able, tensors: tensors.map(({ role, tensor, why }) => ({ role, tensor, why })), warnings, reason, code };
}

function problemOf(error: unknown, where: string): Problem {
  const { code, message } = error as { code?: unknown; message: string };
  return { code: typeof code === 'string' ? code : 'failed', message, where };
}
