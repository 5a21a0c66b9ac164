import { compareAnswers, sameModelTolerance } from '../compare-answers.ts';
import type { AnswerHere, FrameAnswer } from '../live-machine.ts';
import type { ProofExample } from '../prove-frames.ts';
import { pairRows, rowsOf } from './paired-rows.ts';
import type { ServiceCause } from './service-cause.ts';
import type { ServiceTrials, TriedService } from './try-services.ts';

/** Scores that differ by less are of one int8 or float16 model on two providers. */
export const otherProviderTolerance = 0.05;

export interface ConfirmedCause<Cause extends ServiceCause = ServiceCause> {
  readonly cause: Cause;
  /** by how much scores still differ */
  readonly apart: number;
}

/** Tries services on frames; the first of them tells most. */
export class Trying {
  readonly frames: readonly ProofExample[];
  readonly #trials: ServiceTrials;

  constructor(frames: readonly ProofExample[], trials: ServiceTrials) {
    this.frames = frames;
    this.#trials = trials;
  }

  /** What services say of a frame. */
  answers({ image, there }: ProofExample, tried: readonly TriedService[]) {
    return this.#trials.answers(image, tried, there);
  }

  /** The first that makes all frames the same; of those that only come near, as on another provider, the nearest. */
  async first<Cause extends ServiceCause>(
    causes: readonly Cause[],
    most: number,
  ): Promise<ConfirmedCause<Cause> | null> {
    const [first] = this.frames as [ProofExample, ...ProofExample[]];
    const answers = await this.answers(
      first,
      causes.map(({ service }) => service),
    );
    const near = causes
      .map((cause, at) => ({ cause, apart: apartOf(answers[at]!, first.there) }))
      .filter(({ apart }) => apart <= Math.min(most, apartOf(first.here, first.there) / 4));
    for (const one of [
      ...near.filter(({ apart }) => apart <= sameModelTolerance),
      ...near.filter(({ apart }) => apart > sameModelTolerance).toSorted((a, b) => a.apart - b.apart),
    ])
      if (await this.#holdsElsewhere(one)) return one;
    return null;
  }

  /** Those that give the machine's rows of the first frame, without regard to labels and thresholds. */
  async withTheirRows<Cause extends ServiceCause>(causes: readonly Cause[]): Promise<readonly Cause[]> {
    const [first] = this.frames as [ProofExample, ...ProofExample[]];
    const answers = await this.answers(
      first,
      causes.map(({ service }) => unfiltered(service)),
    );
    return causes.filter((_, at) => {
      const raw = answers[at];
      return raw && pairRows(rowsOf(raw), rowsOf(first.there), false);
    });
  }

  async #holdsElsewhere({ cause: { service }, apart }: ConfirmedCause): Promise<boolean> {
    const most = apart <= sameModelTolerance ? sameModelTolerance : otherProviderTolerance;
    for (const frame of this.frames.slice(1)) {
      const [answer] = await this.answers(frame, [service]);
      if (apartOf(answer ?? null, frame.there) > most) return false;
    }
    return true;
  }
}

/** The service with index numbers and without thresholds. */
export const unfiltered = ({ config }: TriedService): TriedService => ({
  config: { ...config, defaultMinimumConfidence: 0, labelConfidences: {} },
  labels: null,
});

/** How far scores differ where labels, boxes and order are the same but for rounding; Infinity: they are not. */
export function apartOf(here: AnswerHere | null, there: FrameAnswer): number {
  if (!here) return Infinity;
  const { verdict, largestScoreDifference } = compareAnswers(here, there);
  return verdict === 'differs' ? Infinity : largestScoreDifference;
}
