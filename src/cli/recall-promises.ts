import type { EvaluatedBoxes } from '../evidence/certificate/count-claim.ts';
import { boundPooledRecall } from '../evidence/evaluation/choose/pooled-recall-bound.ts';
import {
  promiseShare,
  promiseText,
  refusedPromiseText,
  type PromisedOf,
} from '../evidence/evaluation/choose/promise-words.ts';
import { boundRecall, type RecallBoundAnswer } from '../evidence/evaluation/choose/recall-bound.ts';
import { CliError } from './cli-error.ts';
import { UsageError } from './usage.ts';

/** A recall of a label that `evaluate` is asked to promise. */
export interface AskedPromise {
  readonly label: string;
  readonly recall: number;
  readonly brokenAtMost: number;
}

const usualBroken = 0.1;

/** Reads `recall:cup=0.8,recall:plate=0.9`. @throws UsageError */
export function parsePromises(text: string | null, broken: string | null): AskedPromise[] {
  if (text === null) {
    if (broken !== null) throw new UsageError('--broken-at-most goes with --promise recall:LABEL=NUMBER.');
    return [];
  }
  const brokenAtMost = broken === null ? usualBroken : Number(broken);
  if (!(brokenAtMost > 0 && brokenAtMost < 0.5))
    throw new UsageError(`--broken-at-most wants a number above 0 and below 0.5, got "${broken}".`);
  return text.split(',').map((one) => {
    const [, label = '', number = ''] = /^\s*recall:(.+)=([^=]+)$/.exec(one) ?? [];
    const recall = Number(number);
    if (label === '' || !(recall > 0 && recall < 1))
      throw new UsageError(`--promise wants recall:LABEL=NUMBER, the number above 0 and below 1, got "${one}".`);
    return { label, recall, brokenAtMost };
  });
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
