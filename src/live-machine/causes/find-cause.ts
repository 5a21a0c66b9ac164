import type { TensorInfo } from '../../vision/tensor.ts';
import { compareAnswers, isTelling, sameModelTolerance } from '../compare-answers.ts';
import type { ReasonInWords } from '../likely-reasons.ts';
import type { AnswerHere, FrameAnswer, LiveImage } from '../live-machine.ts';
import type { ProofExample } from '../prove-frames.ts';
import { feedingCauses } from './feeding-causes.ts';
import { labelCause } from './label-cause.ts';
import { boxOrderCauses, tensorNameCauses } from './output-causes.ts';
import { pairRows, rowsOf, type PairedRow } from './paired-rows.ts';
import { isSameModel } from './same-model.ts';
import type { ServiceCause } from './service-cause.ts';
import { thresholdCauses } from './threshold-causes.ts';
import type { ModelRun, TriedService } from './try-services.ts';

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

/** Scores that differ by less are of one int8 or float16 model on two providers. */
const otherProviderTolerance = 0.05;

/**
 * Finds the one thing that makes both sides say the same of all frames, by running them here with that thing changed; else says
 * whether the machine's own model gives other numbers for the same tensor. null: neither is known.
 * @param frames some that differ, and some that agree: what explains the ones must leave the others
 */
export async function findCause(frames: readonly ProofExample[], trials: ServiceTrials): Promise<ReasonInWords | null> {
  const telling = frames
    .filter(({ comparison }) => isTelling(comparison))
    .toSorted((a, b) => rowsOf(b.there).length - rowsOf(a.there).length);
  const [first] = telling;
  if (!first) return null;
  const others = frames.filter((frame) => frame !== first);
  const attributes = new Attributes(first, others, trials);
  return (await attributes.cause()) ?? (await modelReason(first, trials));
}

class Attributes {
  readonly #first: ProofExample;
  readonly #others: readonly ProofExample[];
  readonly #trials: ServiceTrials;

  constructor(first: ProofExample, others: readonly ProofExample[], trials: ServiceTrials) {
    this.#first = first;
    this.#others = others;
    this.#trials = trials;
  }

  /** What needs no other run of the model comes first: it is the simpler explanation, too. */
  async cause(): Promise<ReasonInWords | null> {
    const { present, inputs } = this.#trials;
    const dtype = inputs[0]?.dtype ?? 'float32';
    const { outputs } = await this.#trials.run(this.#first.image);
    const found =
      (await this.#confirmed(await this.#filterAndNames())) ??
      (await this.#confirmed(boxOrderCauses(present))) ??
      (await this.#confirmed(tensorNameCauses(present, outputs))) ??
      (await this.#confirmed(feedingCauses(present, dtype)));
    return found && { reason: found.reason, words: found.words };
  }

  async #filterAndNames(): Promise<readonly ServiceCause[]> {
    const { present } = this.#trials;
    const unfiltered = { ...present.config, defaultMinimumConfidence: 0, labelConfidences: {} };
    const [named, numbered]: [PairedRow[], PairedRow[]] = [[], []];
    let [areNamed, areNumbered] = [true, true];
    for (const { image, there } of [this.#first, ...this.#others]) {
      const tried = [
        { ...present, config: unfiltered },
        { config: unfiltered, labels: null },
      ];
      const [byName, byNumber] = await this.#trials.answers(image, tried, there);
      const add = (pairs: PairedRow[], raw: AnswerHere | null | undefined, byLabel: boolean): boolean => {
        const paired = raw ? pairRows(rowsOf(raw), rowsOf(there), byLabel) : null;
        pairs.push(...(paired ?? []));
        return paired !== null;
      };
      areNamed &&= add(named, byName, true);
      areNumbered &&= add(numbered, byNumber, false);
      if (!areNamed && !areNumbered) return [];
    }
    const label = areNumbered ? labelCause(present, numbered) : null;
    return [...(areNamed ? thresholdCauses(present, named) : []), ...(label ? [label] : [])];
  }

  /** The first that makes all frames the same; of those that only come near, as on another provider, the nearest. */
  async #confirmed(causes: readonly ServiceCause[]): Promise<ServiceCause | null> {
    const { image, there } = this.#first;
    const answers = await this.#trials.answers(
      image,
      causes.map(({ service }) => service),
      there,
    );
    const near = causes
      .map((cause, at) => ({ cause, apart: apartOf(answers[at]!, there) }))
      .filter(({ apart }) => apart <= Math.min(otherProviderTolerance, apartOf(this.#first.here, there) / 4));
    for (const { cause, apart } of [
      ...near.filter((one) => one.apart <= sameModelTolerance),
      ...near.filter((one) => one.apart > sameModelTolerance).toSorted((a, b) => a.apart - b.apart),
    ])
      if (await this.#holdsElsewhere(cause, apart)) return cause;
    return null;
  }

  async #holdsElsewhere({ service }: ServiceCause, apart: number): Promise<boolean> {
    const most = apart <= sameModelTolerance ? sameModelTolerance : otherProviderTolerance;
    for (const { image, there } of this.#others) {
      const [answer] = await this.#trials.answers(image, [service], there);
      if (apartOf(answer ?? null, there) > most) return false;
    }
    return true;
  }
}

/** How far scores differ where labels, boxes and order are the same but for rounding; Infinity: they are not. */
function apartOf(here: AnswerHere | null, there: FrameAnswer): number {
  if (!here) return Infinity;
  const { verdict, largestScoreDifference } = compareAnswers(here, there);
  return verdict === 'differs' ? Infinity : largestScoreDifference;
}

async function modelReason({ image }: ProofExample, trials: ServiceTrials): Promise<ReasonInWords | null> {
  const { inferThere } = trials;
  if (!inferThere) return null;
  const { feeds, outputs } = await trials.run(image);
  const there = await inferThere(feeds).catch(() => null);
  const isSame = there && isSameModel(outputs, there);
  if (isSame === null) return null;
  return isSame
    ? {
        reason: 'other-attribute',
        words:
          'The machine’s model gives the same numbers for the same tensor, so it is this model; no single attribute with a usual value explains the rest. Compare input_image_mean_value, input_image_std_dev and input_image_bgr, or more than one attribute is another one there.',
      }
    : {
        reason: 'other-model',
        words:
          'The model file there is another one: it gives other numbers for the same tensor. Put this file on the machine, or load the machine’s here.',
      };
}
