import type { VisionServiceConfig } from '../../../machine/config/face/machine-config.ts';
import type { Frame } from '../../../machine/vision/face/frames.ts';
import type { InferenceSession } from '../../../machine/vision/face/inference.ts';
import { createMachine, infer, type PipelinePorts } from '../../../machine/vision/face/runs.ts';
import type { Tensor, TensorInfo } from '../../../machine/vision/face/feeding.ts';
import { buildVisionService } from '../../../machine/vision/face/filters.ts';
import type { AnswerHere, FrameAnswer, LiveImage } from '../live-machine.ts';

/** A vision service as it would be with other attributes or labels. */
export interface TriedService {
  readonly config: VisionServiceConfig;
  /** null: index numbers */
  readonly labels: readonly string[] | null;
}

type Tensors = Readonly<Record<string, Tensor>>;

/** The tensors of one run, by the model's own names. */
export interface ModelRun {
  readonly feeds: Tensors;
  readonly outputs: Tensors;
}

/** The vision service here, and what it would say were it another one. */
export interface ServiceTrials {
  readonly present: TriedService;
  readonly inputs: readonly TensorInfo[];
  /** In the order of `tried`; null: it cannot be built, or cannot say what `asked` has. */
  answers(
    image: LiveImage,
    tried: readonly TriedService[],
    asked: FrameAnswer,
  ): Promise<readonly (AnswerHere | null)[]>;
  /** A run of the model here, fed as it is fed here. */
  run(image: LiveImage): Promise<ModelRun>;
  /** The same feeds to the machine's own model; null: which that is, is not known. */
  readonly inferThere: ((feeds: ModelRun['feeds']) => Promise<ModelRun['outputs']>) | null;
}

export interface TrialPorts {
  readonly session: InferenceSession;
  readonly ports: PipelinePorts;
}

/**
 * What each service would say of a frame; null: it could not be built, or cannot say what `asked` has. The model runs once for all
 * services that feed it alike.
 */
export async function answersOf(
  frame: Frame,
  tried: readonly TriedService[],
  asked: FrameAnswer,
  { session, ports }: TrialPorts,
): Promise<readonly (AnswerHere | null)[]> {
  const runs = new Map<string, Promise<Tensors>>();
  const once = (key: string, feeds: Tensors): Promise<Tensors> => {
    const running = runs.get(key) ?? session.run(feeds).then(copied);
    runs.set(key, running);
    return running;
  };

  async function answerOf({ config, labels }: TriedService): Promise<AnswerHere | null> {
    const fed = JSON.stringify([config.bgr, config.meanValue, config.stdDev, config.remapInputNames]);
    // What a service is able to do shows in names and shapes, which are those of any feeding.
    let isProbed = false;
    const own = withRun(session, (feeds) => {
      const key = isProbed ? fed : 'probe';
      isProbed = true;
      return once(key, feeds);
    });
    const visionServices = [{ ...config, labelPath: '' }];
    const machine = createMachine({ cameras: [], visionServices }, { [config.name]: { session: own, labels } }, ports);
    try {
      return {
        widthPx: frame.widthPx,
        heightPx: frame.heightPx,
        detections: asked.detections && (await machine.detections(config.name, frame)),
        classifications: asked.classifications && (await machine.classifications(config.name, frame, 0)),
      };
    } catch {
      return null; // that it cannot be built, or read so, is what the trial shows
    }
  }

  const answers: (AnswerHere | null)[] = [];
  for (const service of tried) answers.push(await answerOf(service));
  return answers;
}

/** The tensors of one run on a frame. @throws MachineError, InferenceError */
export async function modelRunOf(
  frame: Frame,
  { config, labels }: TriedService,
  { session, ports }: TrialPorts,
): Promise<ModelRun> {
  let feeds: Tensors = {};
  const heard = withRun(session, (fed) => {
    feeds = copied(fed);
    return session.run(fed);
  });
  const service = buildVisionService({ ...config, labelPath: '' }, { session: heard, labels });
  const { outputs } = await infer(frame, service, ports);
  return { feeds, outputs: copied(Object.fromEntries(outputs)) };
}

/** The CPU's way: what is tried compares with the exact reference. */
function withRun({ inputs, outputs, release }: InferenceSession, run: InferenceSession['run']): InferenceSession {
  return { inputs, outputs, release, run };
}

/** Kernel and runtime may write the next frame into the same memory. */
function copied(tensors: Tensors): Tensors {
  return Object.fromEntries(
    Object.entries(tensors).map(([name, tensor]) => [name, { ...tensor, data: tensor.data.slice() }]),
  );
}
