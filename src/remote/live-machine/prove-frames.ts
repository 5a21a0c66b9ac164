import { compareAnswers, isTelling, type AnswerComparison, type AnswerVerdict } from './compare-answers.ts';
import { ignoreRejection } from './ignore-rejection.ts';
import { likelyReasons, type ReasonFacts, type ReasonInWords } from './likely-reasons.ts';
import type { StepsJudged } from './judge-steps.ts';
import { sameBytes } from './same-bytes.ts';
import type { AnswerHere, FrameAnswer, LiveCapture, LiveImage } from './live-machine.ts';

export interface ProofOptions {
  /** how many frames are to be compared */
  readonly frames: number;
  readonly facts: ReasonFacts;
  /** asked where a frame differs, before that is believed; see `Asking` */
  readonly confirm: (capture: LiveCapture) => Promise<LiveCapture>;
  readonly signal: AbortSignal;
  readonly onProgress: (soFar: Proof) => void;
}

/** What came of comparing frames so far. */
export interface Proof {
  readonly frames: number;
  /** pictures that were not the one before: a still camera shows one again and again */
  readonly changes: number;
  readonly counts: Readonly<Record<AnswerVerdict, number>>;
  /** frames of which more differs than two runtimes of one model make */
  readonly apart: number;
  readonly rows: number;
  readonly largestScoreDifference: number;
  /** the first few frames that differ */
  readonly examples: readonly ProofExample[];
  /** some frames that differ, by labels, boxes or scores, and some that agree: what the cause is looked for on */
  readonly samples: readonly ProofExample[];
  /** verdict on the camera's steps, which the frames have been through already; null: not looked at yet */
  readonly steps: StepsJudged | null;
  /** how often each reason was the likely one, most frequent first */
  readonly reasons: readonly (ReasonInWords & { readonly frames: number })[];
}

/** A frame that was compared, with all that shows what differs. */
export interface ProofExample {
  /** from 0 */
  readonly frame: number;
  readonly image: LiveImage;
  readonly here: AnswerHere;
  readonly there: FrameAnswer;
  readonly comparison: AnswerComparison;
}

const mostExamples = 12;
/** One frame rarely shows two causes apart; what explains it is tried on these, and many take long to run again. */
const mostSamples = { telling: 12, agreeing: 4 } as const;

/** The same proof with the one reason that was found for what differs. */
export function withCause(proof: Proof, cause: ReasonInWords | null): Proof {
  if (!cause) return proof;
  return { ...proof, reasons: [{ ...cause, frames: proof.apart }] };
}

/**
 * Compares frame after frame: what the machine says of it with what the same bytes give here. The machine is asked for the
 * next one while this one runs here. Rejects with what either side fails with; a break-off ends it with what was seen so far.
 */
export async function proveFrames(
  ask: () => Promise<LiveCapture>,
  run: (image: LiveImage) => Promise<AnswerHere>,
  { frames, facts, confirm, signal, onProgress }: ProofOptions,
): Promise<Proof> {
  const tally = new Tally(facts);
  const unlessBrokenOff = (error: unknown): null => {
    if (signal.aborted) return null;
    throw error;
  };
  let next = ask();
  while (tally.frames < frames && !signal.aborted) {
    const there = await next.catch(unlessBrokenOff);
    if (!there) break;
    if (tally.frames + 1 < frames) next = ignoreRejection(ask());
    const here = await run(there.image);
    const confirmed = isDoubtful(compareAnswers(here, there)) ? await confirm(there).catch(unlessBrokenOff) : there;
    if (!confirmed) break;
    tally.add(confirmed, here);
    onProgress(tally.proof());
  }
  return tally.proof();
}

/** The service may have seen other pixels than these bytes. */
function isDoubtful({ verdict }: AnswerComparison): boolean {
  return verdict === 'differs' || verdict === 'rounding';
}

class Tally {
  readonly #facts: ReasonFacts;
  readonly #counts = { equal: 0, 'scores-differ': 0, rounding: 0, differs: 0 };
  readonly #reasons = new Map<string, { words: ReasonInWords; frames: number }>();
  readonly #examples: ProofExample[] = [];
  readonly #samples: { readonly telling: ProofExample[]; readonly agreeing: ProofExample[] } = {
    telling: [],
    agreeing: [],
  };
  #before: LiveImage | null = null;
  #changes = 0;
  #apart = 0;
  #rows = 0;
  #largest = 0;
  frames = 0;

  constructor(facts: ReasonFacts) {
    this.#facts = facts;
  }

  add({ image, detections, classifications }: LiveCapture, here: AnswerHere): void {
    const there = { detections, classifications };
    const comparison = compareAnswers(here, there);
    const isOther = !this.#before || !sameBytes(this.#before.bytes, image.bytes);
    if (isOther) this.#changes++;
    this.#before = image;
    this.#counts[comparison.verdict]++;
    this.#rows += comparison.rows;
    this.#largest = Math.max(this.#largest, comparison.largestScoreDifference);
    const example = { frame: this.frames, image, here, there, comparison };
    if (comparison.verdict === 'differs' && this.#examples.length < mostExamples) this.#examples.push(example);
    const kind = isTelling(comparison) ? 'telling' : 'agreeing';
    if (kind === 'telling') this.#apart++;
    if (isOther && this.#samples[kind].length < mostSamples[kind]) this.#samples[kind].push(example);
    for (const words of likelyReasons(comparison, this.#facts)) {
      const known = this.#reasons.get(words.reason);
      if (known) known.frames++;
      else this.#reasons.set(words.reason, { words, frames: 1 });
    }
    this.frames++;
  }

  proof(): Proof {
    const reasons = [...this.#reasons.values()].map(({ words, frames }) => ({ ...words, frames }));
    const tells = reasons.some(({ reason }) => reason !== 'cannot-tell' && reason !== 'rounding');
    return {
      frames: this.frames,
      changes: this.#changes,
      counts: { ...this.#counts },
      apart: this.#apart,
      rows: this.#rows,
      largestScoreDifference: this.#largest,
      examples: [...this.#examples],
      steps: null,
      samples: [...this.#samples.telling, ...this.#samples.agreeing],
      // A threshold does not explain one frame where another model is needed to explain the next.
      reasons: reasons
        .filter(({ reason }) => reason !== 'thresholds-differ' || !this.#reasons.has('other-rows'))
        .filter(({ reason }) => reason !== 'cannot-tell' || !tells)
        .sort((a, b) => b.frames - a.frames),
    };
  }
}
