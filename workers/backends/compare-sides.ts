import { median } from '../../src/models/profile/quantile.ts';
import type { Frame } from '../../src/machine/vision/face/frames.ts';
import { type InferenceSession, probe } from '../../src/machine/vision/face/inference.ts';
import { buildVisionService, detectionsAt, type ProbedService, rowsOf } from '../../src/machine/vision/face/filters.ts';
import {
  decodeFrameClassifications,
  decodeFrameDetections,
  infer,
  type PipelinePorts,
} from '../../src/machine/vision/face/runs.ts';
import type { Inference } from '../../src/machine/vision/face/results.ts';
import { compareOutputs, outputsAgree } from '../vision/engine/compare-outputs.ts';
import { frameAgreement, type SideResult } from './frame-agreement.ts';
import type { ComparedPicture, SidesCompared, SideTask } from './protocol.ts';

/** A model that is open on what runs it. */
export interface OpenSide {
  readonly task: SideTask;
  readonly session: InferenceSession;
  /** duration of the last run, ms */
  readonly lastRunMs: () => number;
}

export interface SeenPicture {
  readonly name: string;
  /** behind the camera's steps */
  frame(): Promise<Frame>;
}

/**
 * Runs pictures on both sides, and compares what each says at its own thresholds.
 * @param onPicture told before each picture, how many were compared
 * @throws ImageDecodeError, InferenceError, MachineError
 */
export async function compareSides(
  reference: OpenSide,
  other: OpenSide,
  pictures: readonly SeenPicture[],
  ports: PipelinePorts,
  onPicture: (done: number) => void,
): Promise<SidesCompared> {
  const sides = [await prepared(reference, ports), await prepared(other, ports)] as const;
  const compared: ComparedPicture[] = [];
  for (const { name, frame: read } of pictures) {
    onPicture(compared.length);
    const frame = await read();
    const [first, second] = [await sides[0].run(frame), await sides[1].run(frame)];
    const difference = compareOutputs(first.outputs, second.outputs);
    const agreement = frameAgreement(first, second, difference.largest, outputsAgree(difference), frame);
    compared.push({ name, ...agreement });
  }
  const [one, two] = sides;
  return {
    pictures: compared,
    unreadable: { reference: one.unreadable, other: two.unreadable },
    medianMs: { reference: one.medianMs(), other: two.medianMs() },
  };
}

async function prepared({ task, session, lastRunMs }: OpenSide, ports: PipelinePorts) {
  // Both sides get the very same tensor: what packs a frame is none of what is compared.
  const onTensors = tensorsOnly(session);
  const service = buildVisionService(task.vision, { session: onTensors, labels: task.labels });
  const vision: ProbedService = { service, abilities: await probe(service, ports) };
  const { detector, classifier } = vision.abilities;
  const times: number[] = [];
  return {
    unreadable: detector.able || classifier.able ? '' : detector.reason || classifier.reason,
    medianMs: () => median(times),
    async run(frame: Frame) {
      const inference = await infer(frame, service, ports);
      times.push(lastRunMs());
      return { ...resultOf(inference, vision, frame), outputs: Object.fromEntries(inference.outputs) };
    },
  };
}

const tensorsOnly = (session: InferenceSession): InferenceSession => ({
  inputs: session.inputs,
  outputs: session.outputs,
  run: (feeds) => session.run(feeds),
  release: () => session.release(),
});

function resultOf(inference: Inference, { service, abilities }: ProbedService, frame: Frame): SideResult {
  const { detector, classifier } = abilities;
  if (detector.names) {
    const raw = decodeFrameDetections(inference, service, detector.names, frame);
    return { boxes: detectionsAt(rowsOf(raw, service.filter.rows(raw).kept)), classes: null };
  }
  if (!classifier.names) return { boxes: null, classes: null };
  const raw = decodeFrameClassifications(inference.outputs, service, classifier.names);
  return { boxes: null, classes: service.filter.classes(raw, 0) };
}
