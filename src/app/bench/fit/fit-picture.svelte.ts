import type { DecodingAlone } from '../../../../workers/fit/client.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { DecodingTrial, TriedDecoding } from '../../../../workers/vision/protocol.ts';

/** The frame of the stage with the boxes that the present choices give. The model runs once, choices only read it again. */
export class FitPicture {
  readonly #vision: Pick<VisionClient, 'tryDecoding'>;
  #tried = $state.raw<TriedDecoding | null>(null);
  #said = $state.raw('');
  #busy = $state.raw(false);
  #number = 0;

  constructor(vision: Pick<VisionClient, 'tryDecoding'>) {
    this.#vision = vision;
  }

  /** what was last seen, shown while the next is read; null = nothing yet */
  get tried(): TriedDecoding | null {
    return this.#tried;
  }
  /** why there is no picture; '' = there is one, or it comes */
  get said(): string {
    return this.#said;
  }
  get busy(): boolean {
    return this.#busy;
  }

  /** Shows what a decoding makes of the frame; a choice that comes meanwhile overtakes it. */
  async show(decoding: () => Promise<DecodingAlone | null>, labels: readonly string[] | null): Promise<void> {
    const number = ++this.#number;
    this.#busy = true;
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
      if (number === this.#number) this.#busy = false;
    }
  }

  /** Puts the picture away. */
  clear(): void {
    this.#number++;
    this.#busy = false;
    this.#take(null, '');
  }

  #take(tried: TriedDecoding | null, said: string): void {
    this.#tried?.picture.close();
    this.#tried = tried;
    this.#said = said;
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
