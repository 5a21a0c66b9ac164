import type {
  BenchPlan,
  DecodingTrial,
  FoundCauses,
  FoundInterpretations,
  GpuParity,
  InterpretationSide,
  LabelledPicture,
  SymptomReport,
  TriedDecoding,
} from '../protocol.ts';
import { tryFeedings, type TriedPicture } from '../../../src/models/fit/solver/try-feedings.ts';
import { answersOf, modelRunOf, type TriedService } from '../../../src/remote/live-machine/causes/try-services.ts';
import type { FrameAnswer } from '../../../src/remote/live-machine/live-machine.ts';
import type { PictureIo } from '../../../src/platform/ports/picture-io.ts';
import type {
  BlobWish,
  ColorLook,
  ColorView,
  Inseparable,
  Separation,
} from '../../../src/machine/vision/face/color-search.ts';
import type { Frame, ReadFrame } from '../../../src/machine/vision/face/frames.ts';
import { type FrameRun, pixelsOf } from '../../../src/machine/vision/face/runs.ts';
import { type InferenceSession, refuseUnfilledInputs } from '../../../src/machine/vision/face/inference.ts';
import { MachineError } from '../../../src/machine/vision/face/errors.ts';
import type { Tensor } from '../../../src/machine/vision/face/feeding.ts';
import type { ProbedService } from '../../../src/machine/vision/face/filters.ts';
import type { ThreadedRuntime } from '../../inference/client.ts';
import { checkParity } from './check-parity.ts';
import { gpuFault } from './gpu-fault.ts';
import { findInputInterpretations, findOutputInterpretations } from './find-interpretations.ts';
import type { PlanRunner } from './plan-runner.ts';
import type { Projector } from './projector.ts';
import { solveSymptom } from './solve-symptom.ts';
import type { StageFrames } from './stage-frames.ts';
import { DecodingTrials } from './try-decoding.ts';

interface StageSearchPorts {
  readonly runtime: ThreadedRuntime;
  readonly runner: PlanRunner;
  readonly projector: Projector;
  readonly frames: StageFrames;
  readonly pictures: Pick<PictureIo, 'read'>;
}

/** A frame that was run, with its plan, its service and its result. */
interface LastRun {
  readonly runId: number;
  readonly plan: BenchPlan;
  readonly frame: ReadFrame;
  readonly vision: ProbedService | null;
  readonly run: FrameRun;
}

/** A person waits ten seconds; work that was started within this time may still end. */
const solvingMs = 7000;
const mostSolvedOn = 3;

/** Tries other interpretations, decodings and causes of wrong boxes on the frame of the stage, beside running it. */
export class StageSearch {
  readonly #ports: StageSearchPorts;
  readonly #trials: DecodingTrials;
  /** the last run of the frame on the stage, whose outputs can be read again without another run */
  lastRun: LastRun | null = null;

  constructor(ports: StageSearchPorts) {
    this.#ports = ports;
    this.#trials = new DecodingTrials(ports.runtime);
  }

  /**
   * Reads the tuned service's model in other ways, on the frame of the stage; none if there is no frame or no
   * service.
   * @throws InferenceError; the signal's reason when it aborts
   */
  async findInterpretations(
    side: InterpretationSide,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<FoundInterpretations> {
    const nothing = { picture: null, interpretations: [], left: 0 };
    return this.#onStage(nothing, (frame, vision) =>
      this.#findInterpretations(side, frame, vision, onProgress, signal),
    );
  }

  /**
   * Puts a decoding behind the tuned service's model, on the frame of the stage; null: there is no frame or no
   * service. The model runs once for all decodings of one feeding.
   * @throws InferenceError; the signal's reason when it aborts
   */
  async tryDecoding(trial: DecodingTrial, signal: AbortSignal): Promise<TriedDecoding | null> {
    const { runner, projector } = this.#ports;
    return this.#onStage(null, async (frame, vision) => {
      const { seen } = await this.#seenBy(frame, vision);
      const tried = await this.#trials.read(trial, seen, vision.service, runner.pipelinePorts, signal);
      return { ...tried, picture: await projector.preview(seen) };
    });
  }

  /**
   * Feeds a model that is not on the stage a labelled picture in every usual way.
   * @throws ImageDecodeError, InferenceError; the signal's reason when it aborts
   */
  async tryFeedings(
    { model, picture, ...labelled }: LabelledPicture,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<TriedPicture> {
    const { runner, pictures, runtime } = this.#ports;
    const { stages } = await runner.run(await pictures.read(picture));
    const session = await runtime.open(new Uint8Array(await model.arrayBuffer()), 'wasm');
    try {
      const frame = pixelsOf(stages.at(-1)!.frame);
      return await tryFeedings({ ...labelled, session, frame, ports: runner.pipelinePorts, onProgress, signal });
    } finally {
      await session.release();
    }
  }

  /** The tuned service as the plan has it; null: there is none, or it cannot be built. */
  async presentService(): Promise<TriedService | null> {
    const { plan } = this.#ports.runner;
    const vision = await this.#ports.runner.tunedService();
    return vision && { config: vision.service.config, labels: plan.models[vision.service.config.name]?.labels ?? null };
  }

  /** What each service would say of a picture behind the plan's camera, with the tuned service's model. @throws ImageDecodeError */
  async answersOf(picture: Blob, tried: readonly TriedService[], asked: FrameAnswer) {
    const { frame, trial } = await this.#trialOn(picture);
    return answersOf(frame, tried, asked, trial);
  }

  /** The tensors of the tuned service's model for a picture. @throws ImageDecodeError, MachineError, InferenceError */
  async modelRunOf(picture: Blob, present: TriedService) {
    const { frame, trial } = await this.#trialOn(picture);
    return modelRunOf(frame, present, trial);
  }

  /**
   * Ranks what may be wrong with the tuned service, tried on the frame of the stage and on those held before it;
   * none if there is no frame or no service.
   * @throws InferenceError; the signal's reason when it aborts
   */
  async findCauses(
    report: SymptomReport,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<FoundCauses> {
    return this.#onStage({ picture: null, causes: [] }, (frame, vision) => {
      const { frames } = this.#ports;
      const tried = [frame, ...frames.heldBeside(frame)].slice(0, mostSolvedOn);
      const finding = this.#findCauses(report, tried, vision, onProgress, signal);
      return tried.reduce((work, held) => frames.whileHeld(held, work), finding);
    });
  }

  /** What colours the picture has that the tuned service sees, and which of them pass; null: there is no frame. */
  async lookAtColors(look: ColorLook): Promise<ColorView | null> {
    return this.#onSeen(async (frame) => {
      const { lookAtColors } = await import('../../../src/machine/vision/face/color-search.ts');
      return lookAtColors(frame, look);
    });
  }

  /** Which values of a colour detector part wanted boxes from others, or why none do; null: there is no frame. */
  async separateBlobs(wish: BlobWish): Promise<Separation | Inseparable | null> {
    return this.#onSeen(async (frame) => {
      const { separateOnFrame } = await import('../../../src/machine/vision/face/color-search.ts');
      return separateOnFrame(frame, wish, this.#ports.runner.pipelinePorts.stretchKernel.markPixels);
    });
  }

  /** Works on the picture that the tuned service sees. */
  async #onSeen<T>(work: (frame: Frame) => Promise<T>): Promise<T | null> {
    const { frames, runner } = this.#ports;
    const { source } = frames;
    if (!source) return null;
    const working = async (): Promise<T> => {
      const isLast = this.lastRun?.frame === source.frame;
      const { stages } = isLast ? this.lastRun!.run : await runner.run(source.frame);
      return work(pixelsOf(stages.at(-1)!.frame));
    };
    return frames.whileHeld(source.frame, working());
  }

  /**
   * A copy of the input tensors that the tuned service's model gets for the frame of the stage; null: there is no
   * frame or no service.
   * @throws InferenceError unfilled-input
   */
  async modelFeeds(): Promise<Readonly<Record<string, Tensor>> | null> {
    return this.#onStage(null, async (frame, vision) => {
      const { session, input } = vision.service;
      refuseUnfilledInputs(session, input.tensorName);
      const { seen } = await this.#seenBy(frame, vision);
      const tensor = this.#ports.runner.pipelinePorts.stretchKernel.stretchToTensor(seen, input);
      return { [input.tensorName]: { ...tensor, data: tensor.data.slice() } }; // a copy, because the kernel reuses its tensor's memory
    });
  }

  /**
   * Runs the frame of the stage on the GPU and on the CPU alone; null: there is no frame or no service, or nothing
   * of it runs on the GPU.
   * @throws as checkParity
   */
  async checkParity(openOnCpu: () => Promise<InferenceSession>): Promise<GpuParity | null> {
    return this.#onStage(null, async (frame, vision) => {
      const { runner } = this.#ports;
      const { stages, result } = await runner.run(frame);
      if (!vision.service.session.gpu || result?.placement.packing.where !== 'gpu') return null;
      const onCpu = await openOnCpu();
      try {
        return await checkParity({ seen: stages.at(-1)!.frame, vision, onCpu, ports: runner.pipelinePorts });
      } finally {
        await onCpu.release();
      }
    });
  }

  /**
   * Runs the frame of the stage as it is run, and on the CPU; '' where both say the same but for rounding; null: nothing was run.
   * @throws as gpuFault
   */
  async gpuFault(openOnCpu: () => Promise<InferenceSession>): Promise<string | null> {
    return this.#onStage<string | null>(null, async (frame, vision) => {
      const { runner } = this.#ports;
      const { stages, result } = await runner.run(frame);
      if (!result?.inference) return null;
      const onCpu = await openOnCpu();
      try {
        const seen = stages.at(-1)!.frame;
        return await gpuFault({ seen, vision, onGpu: result.inference, onCpu, ports: runner.pipelinePorts });
      } finally {
        await onCpu.release();
      }
    });
  }

  async #trialOn(picture: Blob) {
    const { runner, pictures } = this.#ports;
    const frame = await runner.frameOf(await pictures.read(picture), runner.plan.cameraName);
    const vision = await runner.tunedService();
    if (!vision) throw new MachineError('no-model', 'No vision service is tuned.', '');
    return { frame, trial: { session: vision.service.session, ports: runner.pipelinePorts } };
  }

  /** Works on the frame of the stage with the tuned service; its pixels are not recycled before that ends. */
  async #onStage<T>(nothing: T, work: (frame: ReadFrame, vision: ProbedService) => Promise<T>): Promise<T> {
    const { frames, runner } = this.#ports;
    const { source } = frames;
    if (!source) return nothing;
    const working = runner.tunedService().then((vision) => (vision ? work(source.frame, vision) : nothing));
    return frames.whileHeld(source.frame, working);
  }

  /** The input frame of the tuned service's model, and the model's outputs if it was run. */
  async #seenBy(frame: ReadFrame, vision: ProbedService) {
    const isLast = this.lastRun?.frame === frame && this.lastRun.vision === vision;
    const { stages, result } = isLast ? this.lastRun!.run : await this.#ports.runner.run(frame);
    return { seen: pixelsOf(stages.at(-1)!.frame), inference: result?.inference ?? null };
  }

  /** The boxes that a person drew belong to the first frame. */
  async #findCauses(
    { symptom, drawn, ownLabels, statedFeeding }: SymptomReport,
    frames: readonly ReadFrame[],
    vision: ProbedService,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<FoundCauses> {
    const { runner, projector } = this.#ports;
    const { service } = vision;
    const { dropsFirstLabel, pipelinePorts: ports, plan } = runner;
    const filter = plan.config.visionServices.find(({ name }) => name === service.config.name) ?? service.config;
    const seen = [];
    for (const frame of frames) {
      const { seen: picture, inference } = await this.#seenBy(frame, vision);
      seen.push({ frame: picture, run: inference, drawn: seen.length === 0 ? drawn : [] });
    }
    const causes = await solveSymptom({
      service,
      filter,
      dropsFirstLabel,
      frames: seen,
      symptom,
      ownLabels,
      statedFeeding,
      ports,
      budgetMs: solvingMs,
      onProgress,
      signal,
    });
    return { causes, picture: causes.length > 0 ? await projector.preview(seen[0]!.frame) : null };
  }

  async #findInterpretations(
    side: InterpretationSide,
    frame: ReadFrame,
    vision: ProbedService,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<FoundInterpretations> {
    const { seen, inference } = await this.#seenBy(frame, vision);
    const { dropsFirstLabel, pipelinePorts: ports } = this.#ports.runner;
    const search = { vision, dropsFirstLabel, seen, inference, ports };
    const find = side === 'outputs' ? findOutputInterpretations : findInputInterpretations;
    const found = await find({ ...search, onProgress, signal });
    const picture = found.interpretations.length > 0 ? await this.#ports.projector.preview(seen) : null;
    return { ...found, picture };
  }
}
