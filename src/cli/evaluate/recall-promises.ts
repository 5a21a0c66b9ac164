import type { EvaluatedBoxes } from '../../evidence/certificate/count-claim.ts';
import {
  boundPooledRecall,
  boundRecall,
  type PromisedOf,
  promiseShare,
  promiseText,
  type RecallBoundAnswer,
  refusedPromiseText,
} from '../../evidence/evaluation/face/thresholds.ts';
import { CliError } from '../record/cli-error.ts';
import { option, together } from '../record/field.ts';
import { number } from '../record/kinds.ts';
import { UsageError } from '../record/usage-error.ts';

/** A recall of a label that `evaluate` is asked to promise. */
export interface AskedPromise {
  readonly label: string;
  readonly recall: number;
  readonly brokenAtMost: number;
}

/** `recall:cup=0.8,recall:plate=0.9` */
export const promises = together(
  {
    asked: option(
      '--promise PROMISES',
      'the thresholds at which a recall is promised, recall:LABEL=0.8: as a mean over images, and of all objects together',
    ),
    broken: option(
      '--broken-at-most SHARE',
      'of the cases, in which that turns out wrong (0.1)',
      number('a number above 0 and below 0.5', (value) => value > 0 && value < 0.5),
    ),
  },
  ({ asked, broken }): readonly AskedPromise[] => {
    if (asked === null && broken !== null)
      throw new UsageError('--broken-at-most goes with --promise recall:LABEL=NUMBER.');
    return asked?.split(',').map((one) => ({ ...recallOf(one), brokenAtMost: broken ?? 0.1 })) ?? [];
  },
);

function recallOf(text: string): Omit<AskedPromise, 'brokenAtMost'> {
  const [, label = '', least = ''] = /^\s*recall:(.+)=([^=]+)$/.exec(text) ?? [];
  const recall = Number(least);
  if (label !== '' && recall > 0 && recall < 1) return { label, recall };
  throw new UsageError(`--promise wants recall:LABEL=NUMBER, the number above 0 and below 1, got "${text}".`);
}

/**
 * Answers each promise twice, as a mean over images and of all objects together, and says both.
 * @returns what is printed
 * @throws CliError for a label that the data lacks
 */
export function answerPromises(
  asked: readonly AskedPromise[],
  { sweeps, labels, units }: EvaluatedBoxes,
  say: (text: string) => void,
): object[] {
  return asked.map((promise) => {
    const sweep = sweeps.find(({ label }) => labels[label]!.toLowerCase() === promise.label.toLowerCase());
    if (!sweep || sweep.truthCount === 0)
      throw new CliError('unknown-label', `No truth of "${promise.label}" is in the data, so its recall is not known.`);
    const told = (of: PromisedOf, answer: RecallBoundAnswer): object => {
      const words = promiseText(of, promise.recall, promise.label);
      say(
        answer.bound
          ? `At ${answer.bound.threshold}, ${words}, on images like these; broken in at most ${promiseShare(promise.brokenAtMost)} of the cases.`
          : `That ${words} cannot be promised. ${refusedPromiseText(answer.refused, promise)}`,
      );
      return answer.bound
        ? { threshold: answer.bound.threshold, seenRecall: answer.bound.seenRecall }
        : { threshold: null, refused: answer.refused };
    };
    return {
      ...promise,
      meanOverImages: told('each-image', boundRecall(sweep, units, promise)),
      ofAllObjects: told('all-objects', boundPooledRecall(sweep, units, promise)),
    };
  });
}
