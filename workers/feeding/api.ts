import type { FeedingWorth } from '../../src/models/fit/feeding/feeding-cost.ts';
import { fittedSubject, readySubject, type FeedingSubject } from '../../src/models/fit/feeding/feeding-subject.ts';
import { measureFeeding, type SequencedPicture } from '../../src/models/fit/feeding/measure-feeding.ts';
import type { MachineFeeding } from '../../src/models/fit/feeding/machine-feedings.ts';
import { recipeWords } from '../../src/models/fit/feeding/recipe.ts';
import { apartInWords } from '../../src/models/fit/feeding/told-apart.ts';
import { recogniseModel } from '../../src/models/fit/face/fitting.ts';
import { classNamed } from '../../src/models/fit/solver/known-answer.ts';
import { feedingWords } from '../../src/models/fit/solver/rank-feedings.ts';
import { decodeStill } from '../../src/platform/decode/still.ts';
import type { InferenceRuntime } from '../../src/platform/ports/inference-runtime.ts';
import { errorMessage } from '../../src/machine/vision/face/errors.ts';
import type { Frame } from '../../src/machine/vision/face/frames.ts';
import { referenceStretchKernel } from '../../src/machine/vision/face/feeding.ts';
import { readModelSource, type ModelSourceAccess } from '../vision/engine/read-model-source.ts';
import type { FeedingCure, FeedingPhase, FeedingTask, FoundFeeding, LabelledPicture } from './protocol.ts';

export type FeedingApi = ReturnType<typeof createFeedingApi>;

/** Why nothing can be searched, in words for a person. */
class FeedingError extends Error {
  override readonly name = 'FeedingError';
}

/** Searches for the recipe of one model in a worker that lives only for that, separate from the live loop. */
export function createFeedingApi(
  access: Omit<ModelSourceAccess, 'documentBase'>,
  runtime: Pick<InferenceRuntime, 'open'>,
) {
  return {
    /**
     * May be called once: its work cannot be interrupted, so the page cancels by ending the worker.
     * @throws FeedingError; ModelSourceError, FitError, ModelError, InferenceError
     */
    async measure(
      task: FeedingTask,
      documentBase: string,
      tell: (phase: FeedingPhase, fraction: number) => void,
    ): Promise<FoundFeeding> {
      const { signal } = new AbortController();
      tell('reading', 0);
      const { bytes } = await readModelSource(task.source, { ...access, documentBase }, () => undefined, signal);
      const subject = subjectOf(bytes, task);
      const { known, leftOut, unknownLabels } = readPictures(task.pictures, subject.labels);
      const { found, worth, isPlaced, measuredOn, dependence } = await measureFeeding({
        subject,
        pictures: known,
        areIndependent: task.areIndependent,
        open: (model) => openOn(runtime, model, task.backend),
        ports: { stretchKernel: referenceStretchKernel, turn: (work) => work(), nowMs: () => performance.now() },
        onProgress: tell,
        signal,
      });
      const { recipe } = found.alike[0]!;
      return {
        recipe: isPlaced ? feedingWords({ ...recipe, fit: 'stretch' }) : recipeWords(recipe),
        verdict: found.verdict,
        apart: apartInWords(found),
        isPlaced,
        pictures: known.length,
        measuredOn,
        dependence,
        leftOut,
        unknownLabels,
        ways: worth && worth.map(wayOf),
      };
    },
  };
}

function subjectOf(bytes: Uint8Array<ArrayBuffer>, { service, labels }: FeedingTask): FeedingSubject {
  const recognition = recogniseModel(bytes);
  if (recognition.kind === 'fits') return readySubject(bytes, service, labels);
  if (recognition.kind === 'family' && recognition.result === 'detections') {
    const subject = fittedSubject(bytes, { family: recognition.id });
    return { ...subject, labels: subject.labels ?? labels };
  }
  const why = recognition.kind === 'family' ? `It is a classifier (${recognition.name}).` : recognition.seen;
  throw new FeedingError(`Only detectors that Sightglass can read are measured, and this model is none. ${why}`);
}

/** WebGPU may lack an operator of a model that is written anew. */
function openOn(
  runtime: Pick<InferenceRuntime, 'open'>,
  model: Uint8Array<ArrayBuffer>,
  backend: FeedingTask['backend'],
) {
  const opening = runtime.open(model, backend);
  return backend === 'wasm' ? opening : opening.catch(() => runtime.open(model, 'wasm'));
}

function readPictures(pictures: readonly LabelledPicture[], labels: readonly string[] | null) {
  const known: SequencedPicture[] = [];
  const leftOut: { readonly name: string; readonly why: string }[] = [];
  const unknown = new Set<string>();
  for (const { name, sequence, bytes, boxes, printed } of pictures) {
    const named = boxes.flatMap(({ label, ...thing }) => {
      const category = classNamed(label, labels);
      if (category === null && !thing.isIgnored) unknown.add(label);
      return category === null ? [] : [{ category, ...thing }];
    });
    if (named.every(({ isIgnored = false }) => isIgnored)) continue;
    const decoded = decode(bytes);
    if (typeof decoded === 'string') {
      leftOut.push({ name, why: decoded });
      continue;
    }
    const [across, down] = printed ? [decoded.widthPx, decoded.heightPx] : [1, 1];
    const shared = ({ category, box, score = null }: (typeof named)[number]) => ({
      category,
      box: box && ([box[0] / across, box[1] / down, box[2] / across, box[3] / down] as const),
      score,
    });
    known.push({
      name,
      sequence,
      // Hundreds of pictures fit in memory only as they are stored.
      get frame() {
        return decodeStill(bytes)!;
      },
      expected: named.filter(({ isIgnored = false }) => !isIgnored).map(shared),
      ignored: named.filter(({ isIgnored = false }) => isIgnored).map(shared),
      digits: printed
        ? { box: [printed.boxPx / across, printed.boxPx / down], score: printed.score }
        : { box: [1, 1], score: 1 },
    });
  }
  const unknownLabels = [...unknown];
  if (known.length === 0) throw nothingKnown(leftOut, unknownLabels, labels);
  return { known, leftOut, unknownLabels };
}

/** The frame, or why there is none. */
function decode(bytes: Uint8Array): Frame | string {
  try {
    return decodeStill(bytes) ?? 'It is neither PNG nor JPEG, which alone are decoded as the machine decodes them.';
  } catch (error) {
    return errorMessage(error);
  }
}

function nothingKnown(
  [first]: FoundFeeding['leftOut'],
  unknown: readonly string[],
  labels: readonly string[] | null,
): FeedingError {
  if (first) return new FeedingError(`None of the pictures can be read. ${first.name}: ${first.why}`);
  const some = (names: readonly string[]) => `${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`;
  return new FeedingError(
    unknown.length > 0
      ? `No label of these pictures (${some(unknown)}) is one of the model (${labels ? some(labels) : 'it has numbers only: give its labels on the bench'}).`
      : 'None of these pictures has a box.',
  );
}

function wayOf({ feeding, loss, gain }: FeedingWorth) {
  return { cure: cureOf(feeding), loss, gain };
}

function cureOf({ kind, title, step, fed, fit }: MachineFeeding): FeedingCure {
  const { family = null, options = {}, feedingFound = null, inputSize = null } = fit?.request ?? {};
  return { kind, title, step, fed, fit: fit && { family, options, feedingFound, inputSize } };
}
