import type { GivenAnswer } from '../../models/fit/feeding/given-thing.ts';
import { feedingTrial, type FitRequest } from '../../models/fit/face/fitting.ts';
import { feedingOptions } from '../../models/fit/interpretations/fit-options.ts';
import { classNamed, type KnownAnswer } from '../../models/fit/solver/known-answer.ts';
import {
  chosenFeeding,
  feedingWords,
  openBetween,
  presentFeeding,
  rankFeedings,
} from '../../models/fit/solver/rank-feedings.ts';
import { tryFeedings, type TriedPicture } from '../../models/fit/solver/try-feedings.ts';
import { readFrameFile } from '../../platform/node/frame-file.ts';
import type { SessionOpener } from '../../platform/ports/inference-runtime.ts';
import type { Frame } from '../../machine/vision/face/frames.ts';
import { referenceStretchKernel } from '../../machine/vision/face/feeding.ts';
import { UsageError } from '../record/usage-error.ts';

/** What labelled pictures say of a model's feeding. */
export interface AnswersTrial {
  readonly pictures: number;
  readonly verdict: 'decided' | 'open' | 'unseen';
  /** the likeliest first; `sureness` is how sure the model was of the answers, 0..1 */
  readonly ranked: readonly { readonly feeding: string; readonly sureness: number; readonly isNear: boolean }[];
  /** one sentence for people */
  readonly said: string;
}

/**
 * Feeds a model every labelled picture in each usual way, and chooses the way that the answers speak for: the first, or, where they do not decide,
 * the usual one as long as it is near the first.
 * @returns the trial, and the request with that way of feeding
 * @throws UsageError where the model has no such class; CliError where a picture cannot be read
 */
export async function tryAnswers(
  source: Uint8Array<ArrayBuffer>,
  request: FitRequest,
  pictures: readonly { readonly path: string; readonly answer: GivenAnswer }[],
  sessions: SessionOpener,
): Promise<{ readonly trial: AnswersTrial; readonly request: FitRequest }> {
  const feeding = feedingTrial(source, request);
  const { model, kind, labels, isFedByOptions } = feeding;
  const present = presentFeeding(feeding);
  const answers = pictures.map(({ answer }) => categoryOf(answer, labels));
  const session = await sessions.open(model);
  const tried: TriedPicture[] = [];
  try {
    for (const [at, { path, answer }] of pictures.entries()) {
      const frame = await readFrameFile(path);
      const known = { category: answers[at]!, box: shareOf(answer.boxPx, frame) };
      const search = { session, kind, present, isFedByOptions, frame, answer: known, ports, ...uninterrupted };
      tried.push(await tryFeedings(search));
    }
  } finally {
    await session.release();
  }
  const ranking = rankFeedings(tried[0]?.inputs ?? [], tried.map((one) => one.tried)); // prettier-ignore
  const { ranked, verdict } = ranking;
  const usual = ranked.find(({ input, isNear }) => isNear && input === tried[0]?.inputs[0]);
  const chosen = verdict === 'unseen' ? null : (usual ?? ranked[0]!);
  const found = chosen && chosenFeeding(ranking, chosen, pictures.length);
  const options = chosen && isFedByOptions ? feedingOptions(chosen.input) : {};
  return {
    trial: {
      pictures: pictures.length,
      verdict,
      ranked: ranked.map(({ input, sureness, isNear }) => ({ feeding: feedingWords(input), sureness, isNear })),
      said: sentence(ranking, found?.why ?? ''),
    },
    // What a person says by an option stays.
    request: { ...request, feedingFound: found, options: { ...options, ...request.options } },
  };
}

export const ports = {
  stretchKernel: referenceStretchKernel,
  turn: <T>(task: () => Promise<T>) => task(),
  nowMs: () => performance.now(),
};
const uninterrupted = { onProgress: () => undefined, signal: new AbortController().signal };

/** @throws UsageError where the model has no such class */
export function categoryOf({ label }: Pick<GivenAnswer, 'label'>, labels: readonly string[] | null): number {
  const category = classNamed(label, labels);
  if (category !== null) return category;
  const some = labels?.filter((name) => name.toLowerCase().includes(label.toLowerCase())).slice(0, 5) ?? [];
  const hint = some.length > 0 ? ` There is ${some.join(', ')}.` : '';
  const known = labels ? `one of its ${labels.length} labels, or a number` : 'the number of a class, or give --labels';
  throw new UsageError(`The model has no class "${label}".${hint} --answer wants ${known}.`);
}

export function shareOf(boxPx: GivenAnswer['boxPx'], { widthPx, heightPx }: Frame): KnownAnswer['box'] {
  if (boxPx === null) return null;
  const [xMin, yMin, xMax, yMax] = boxPx;
  return [xMin / widthPx, yMin / heightPx, xMax / widthPx, yMax / heightPx];
}

function sentence(ranking: ReturnType<typeof rankFeedings>, why: string): string {
  if (ranking.verdict === 'decided') return why;
  const another = 'Give another with --frame PICTURE --answer LABEL.';
  if (ranking.verdict === 'unseen')
    return `The model is not sure of the answers in any usual way of feeding, so the pictures do not decide. ${another}`;
  const near = ranking.ranked.filter(({ isNear }) => isNear);
  const listed = near.map(({ input, sureness }) => `${feedingWords(input)} (${sureness.toFixed(2)})`).join('; ');
  const open = { colours: 'the order of colours', values: 'the values', both: 'how it is fed' };
  return `The pictures do not decide ${open[openBetween(ranking)!]}. Near each other are: ${listed}. ${another}`;
}
