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
  busy: boolean = $state.raw(false);
  /** what to choose instead, best first; [] where the present choice may be right, or nothing does better */
  better = $state.raw<readonly BetterChoice[]>([]);
  #number = 0;

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
    const number = ++this.#number;
    this.busy = true;
    try {
      const alone = await decoding();
      if (number !== this.#number) return;
      const tried = alone && (await this.#vision.tryDecoding(trialOf(alone, labels)));
      if (number !== this.#number) {
        tried?.picture.close();
        return;
      }
      this.#take(tried, tried ? '' : 'There is no frame on the stage to see them on.');
      if (tried && isDoubtful(tried)) await this.#tryOthers(number, others.slice(0, mostTried), decodingOf);
    } catch (error) {
      if (number === this.#number) this.#take(null, `No boxes: ${(error as Error).message}`);
    } finally {
      if (number === this.#number) this.busy = false;
    }
  }

  /** Removes the picture. */
  clear(): void {
    this.#number++;
    this.busy = false;
    this.#take(null, '');
  }

  async #tryOthers(
    number: number,
    others: readonly OtherChoice[],
    decodingOf: (choice: OtherChoice) => Promise<DecodingAlone | null>,
  ): Promise<void> {
    const better: BetterChoice[] = [];
    for (const choice of others) {
      const alone = await decodingOf(choice).catch(() => null);
      if (number !== this.#number) return;
      const tried = alone && (await this.#vision.tryDecoding(trialOf(alone, null)));
      tried?.picture.close();
      if (number !== this.#number) return;
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
