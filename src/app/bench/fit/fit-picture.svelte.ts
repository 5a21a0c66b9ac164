import type { DecodingAlone } from '../../../../workers/fit/client.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { DecodingTrial, TriedDecoding } from '../../../../workers/vision/protocol.ts';

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
  #number = 0;

  constructor(vision: Pick<VisionClient, 'tryDecoding'>) {
    this.#vision = vision;
  }

  /** Shows a decoding's boxes on the frame; a later call replaces it. */
  async show(decoding: () => Promise<DecodingAlone | null>, labels: readonly string[] | null): Promise<void> {
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

  #take(tried: TriedDecoding | null, said: string): void {
    this.tried?.picture.close();
    this.tried = tried;
    this.said = said;
  }
}

function trialOf(
  { model, reads, size, preprocessing, isPadded }: DecodingAlone,
  labels: DecodingTrial['labels'],
): DecodingTrial {
  const { colour, mean, stdDev } = preprocessing;
  const fit = isPadded ? 'letterbox' : 'stretch';
  return { decoding: model, reads, ...size, labels, input: { bgr: colour === 'bgr', meanValue: mean, stdDev, fit } };
}
