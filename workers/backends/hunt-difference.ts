import { caseZip } from '../../src/models/first-difference/case-files.ts';
import { findFirstDifference } from '../../src/models/first-difference/find-first-difference.ts';
import type {
  ComparedSide,
  CutOut,
  FirstDifference,
  TensorPair,
  Tensors,
} from '../../src/models/first-difference/first-difference.ts';
import { planesOf } from '../../src/models/first-difference/tensor-planes.ts';
import type { VisionServiceConfig } from '../../src/machine/config/face/machine-config.ts';
import type { Frame } from '../../src/machine/vision/face/frames.ts';
import { InferenceError } from '../../src/machine/vision/face/errors.ts';
import { type InferenceSession, refuseUnfilledInputs } from '../../src/machine/vision/face/inference.ts';
import { inputSpec, type StretchKernel } from '../../src/machine/vision/face/feeding.ts';
import { isTflite } from '../../src/models/tflite/read-tflite.ts';
import type { Backend } from '../../src/platform/ports/inference-runtime.ts';
import type { FoundDifference, ShownPair } from './protocol.ts';

/** A model's file, and what runs it or any part of it. */
export interface HuntedSide {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly vision: VisionServiceConfig;
  readonly backend: Backend;
  /** the GPU; '' on the CPU */
  readonly adapter: string;
  readonly open: (model: Uint8Array<ArrayBuffer>) => Promise<InferenceSession>;
}

interface HuntedFrames {
  /** behind the camera's steps */
  readonly frame: Frame;
  /** run before it; null: none */
  readonly earlier: Frame | null;
}

/**
 * Finds the first part of a network that gives something else on the other side, and writes the case.
 * @param versions of the runtime and the browser, for the case
 * @param onRun told the number of each run, 20 at most
 * @throws InferenceError
 */
export async function huntDifference(
  [reference, other]: readonly [HuntedSide, HuntedSide],
  frames: HuntedFrames,
  kernel: StretchKernel,
  versions: { readonly ort: string; readonly browser: string },
  onRun: (run: number) => void,
): Promise<FoundDifference> {
  if (isTflite(reference.bytes) || isTflite(other.bytes))
    throw new InferenceError('runtime', 'Only into ONNX models can be looked: LiteRT shows no tensors inside.');
  const sides = [await comparedSide(reference, frames, kernel), await comparedSide(other, frames, kernel)] as const;
  const found = await findFirstDifference(sides[0], sides[1], { onRun });
  const cutOut = 'cutOut' in found ? found.cutOut : null;
  const pair = pairOf(found, cutOut);
  const facts = {
    referenceName: reference.name,
    otherName: other.name,
    versions: {
      'onnxruntime-web': versions.ort,
      browser: versions.browser,
      ...(reference.adapter || other.adapter ? { GPU: reference.adapter || other.adapter } : {}),
    },
    ortVersion: versions.ort,
    providers: { reference: reference.backend, other: other.backend },
  };
  const zip = cutOut && caseZip(cutOut, facts);
  return {
    says: found.says,
    runs: found.runs,
    pair: pair && shown(pair),
    caseZip: zip && new Blob([zip], { type: 'application/zip' }),
  };
}

async function comparedSide(
  side: HuntedSide,
  { frame, earlier }: HuntedFrames,
  kernel: StretchKernel,
): Promise<ComparedSide> {
  const session = await side.open(side.bytes);
  try {
    const input = inputSpec(session.inputs, side.vision);
    refuseUnfilledInputs(session, input.tensorName);
    const feedsOf = (seen: Frame): Tensors => {
      const tensor = kernel.stretchToTensor(seen, input);
      return { [input.tensorName]: { ...tensor, data: tensor.data.slice() } }; // the kernel reuses its tensor's memory
    };
    const { name, bytes: model, open } = side;
    return { name, model, open, feeds: feedsOf(frame), earlierFeeds: earlier && feedsOf(earlier) };
  } finally {
    await session.release();
  }
}

/** The tensor that shows it best; null: both sides give the same, or there is none. */
function pairOf(found: FirstDifference, cutOut: CutOut | null): TensorPair | null {
  if (found.kind === 'same') return null;
  if (found.kind === 'together') return found.inside;
  if (found.kind === 'fed-differently') return found.input;
  return cutOut?.outputs[cutOut.worst] ?? found.outputs.find(({ difference }) => difference.beyond > 0) ?? null;
}

function shown(pair: TensorPair): ShownPair {
  const { name, reference, difference, bound } = pair;
  const [value] = difference.values;
  const roundsTo = bound.absolute + bound.relative * Math.abs(value);
  return { name, shape: reference.shape, difference, roundsTo, because: bound.because, planes: planesOf(pair) };
}
