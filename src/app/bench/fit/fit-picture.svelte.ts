import type { DecodingAlone, OtherChoice } from '../../../../workers/fit/client.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { DecodingTrial, TriedDecoding } from '../../../../workers/vision/protocol.ts';

/** A choice that gives boxes which may be right, where the present one does not. */
export interface BetterChoice extends OtherChoice {
  readonly boxCount: number;
  readonly bestScore: number;
}

/** Each is a decoding of its own; more of them take too long. */
const mostTried = 12;

/**
 * The frame of the stage with the boxes of the chosen options. The model runs once; other options only decode its
 * outputs again.
 */
export class FitPicture {
  readonly #vision: Pick<VisionClient, 'tryDecoding'>;
  /** the last result, shown while the next is computed; null: none yet */
  tried = $state.raw<TriedDecoding | null>(null);
  /** why there is no picture; '': there is one, or it is being computed */
  said: string = $state.raw('');
  /** a decoding is being tried on the frame, and how far that is, 0..1: null where that is not known */
  working = $state.raw<{ readonly fraction: number | null } | null>(null);
  /** what to choose instead, best first; [] where the present choice may be right, or nothing does better */
  better = $state.raw<readonly BetterChoice[]>([]);
  #abort = new AbortController();

  constructor(vision: Pick<VisionClient, 'tryDecoding'>) {
    this.#vision = vision;
  }

  /** Whether there are no boxes, or boxes that cannot be right. */
  get isDoubtful(): boolean {
    return this.tried !== null && isDoubtful(this.tried);
  }

  /**
   * Shows a decoding's boxes on the frame; a later call replaces it. Where they cannot be right, the other choices are
   * tried too.
   */
  async show(
    decoding: () => Promise<DecodingAlone | null>,
    labels: readonly string[] | null,
    others: readonly OtherChoice[] = [],
    decodingOf: (choice: OtherChoice) => Promise<DecodingAlone | null> = decoding,
  ): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.working = { fraction: null };
    try {
      const tried = await this.#try(decoding, labels, signal);
      this.#take(tried, tried ? '' : 'There is no frame on the stage to see them on.');
      if (tried && isDoubtful(tried)) await this.#tryOthers(others.slice(0, mostTried), decodingOf, signal);
    } catch (error) {
      if (!signal.aborted) this.#take(null, `No boxes: ${(error as Error).message}`);
    } finally {
      if (!signal.aborted) this.working = null;
    }
  }

  /** Gives up what is being tried, and keeps what was found before. */
  cancel(): void {
    if (!this.working) return;
    this.#abort.abort();
    this.working = null;
    if (!this.tried) this.said = 'Trying it on the frame was stopped.';
  }

  /** Removes the picture. */
  clear(): void {
    this.#abort.abort();
    this.working = null;
    this.#take(null, '');
  }

  /** @throws the signal's reason when it aborts, also where the worker did not notice in time; InferenceError */
  async #try(
    decoding: () => Promise<DecodingAlone | null>,
    labels: readonly string[] | null,
    signal: AbortSignal,
  ): Promise<TriedDecoding | null> {
    const alone = await decoding();
    signal.throwIfAborted();
    const tried = alone && (await this.#vision.tryDecoding(trialOf(alone, labels), signal));
    if (signal.aborted) tried?.picture.close();
    signal.throwIfAborted();
    return tried;
  }

  async #tryOthers(
    others: readonly OtherChoice[],
    decodingOf: (choice: OtherChoice) => Promise<DecodingAlone | null>,
    signal: AbortSignal,
  ): Promise<void> {
    const better: BetterChoice[] = [];
    for (const [at, choice] of others.entries()) {
      this.working = { fraction: at / others.length };
      // What a family refuses is no choice.
      const tried = await this.#try(() => decodingOf(choice).catch(() => null), null, signal);
      tried?.picture.close();
      if (tried?.verdict.kind !== 'plausible') continue;
      better.push({ ...choice, boxCount: tried.boxes.length, bestScore: tried.boxes[0]?.score ?? 0 });
    }
    this.better = better.toSorted((a, b) => b.bestScore - a.bestScore);
  }

  #take(tried: TriedDecoding | null, said: string): void {
    this.better = [];
    this.tried?.picture.close();
    this.tried = tried;
    this.said = said;
  }
}

function isDoubtful({ verdict, boxes }: TriedDecoding): boolean {
  return verdict.kind === 'refused' || boxes.length === 0;
}

function trialOf(
  { model, reads, size, preprocessing, isPadded }: DecodingAlone,
  labels: DecodingTrial['labels'],
): DecodingTrial {
  const { colour, mean, stdDev } = preprocessing;
  const fit = isPadded ? 'letterbox' : 'stretch';
  return { decoding: model, reads, ...size, labels, input: { bgr: colour === 'bgr', meanValue: mean, stdDev, fit } };
}
