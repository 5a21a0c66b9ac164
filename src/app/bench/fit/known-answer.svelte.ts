import type { TrialModel } from '../../../../workers/fit/client.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import { classNamed } from '../../../models/fit/solver/known-answer.ts';
import {
  chosenFeeding,
  presentFeeding,
  rankFeedings,
  type ChosenFeeding,
  type FeedingRanking,
  type RankedFeeding,
} from '../../../models/fit/solver/rank-feedings.ts';
import type { TriedPicture } from '../../../models/fit/solver/try-feedings.ts';

/** A picture that a person may label. */
export interface PictureToLabel {
  readonly name: string;
  readonly content: Blob;
}

/** A picture with what a person said is on it. */
export interface UsedPicture extends PictureToLabel, TriedPicture {
  readonly label: string;
}

interface KnownAnswerPorts {
  readonly vision: Pick<VisionClient, 'tryFeedings' | 'currentFrame'>;
  /** the model as it is chosen now, with none of its feeding in the graph */
  readonly trial: () => Promise<TrialModel>;
}

/** Asks what is on a picture, and finds by it how the model is to be fed. */
export class KnownAnswer {
  readonly #ports: KnownAnswerPorts;
  /** the picture to be labelled next; null: there is none */
  picture = $state.raw<PictureToLabel | null>(null);
  /** 0..1 while ways of feeding are tried; null: they are not */
  progress = $state.raw<number | null>(null);
  /** why nothing came of the last label; '': something did */
  fault: string = $state.raw('');
  /** the labelled pictures, each of which adds what it says */
  used = $state.raw<readonly UsedPicture[]>([]);
  readonly ranking: FeedingRanking | null = $derived.by(() => {
    const [first] = this.used;
    return first ? rankFeedings(first.inputs, this.used.map(({ tried }) => tried)) : null; // prettier-ignore
  });
  #abort: AbortController | null = null;
  #about = '';

  constructor(ports: KnownAnswerPorts) {
    this.#ports = ports;
  }

  /** Takes the frame on the stage, unless a picture is there. */
  async takeFrame(): Promise<void> {
    if (this.picture) return;
    const content = await this.#ports.vision.currentFrame().catch(() => null);
    if (content) this.picture ??= { name: 'the frame on the stage', content };
  }

  take(file: File): void {
    this.cancel();
    this.picture = { name: file.name, content: file };
    this.fault = '';
  }

  /** Tries every usual way of feeding on the picture, on which there is what a person says. */
  async say(words: string): Promise<void> {
    const { picture } = this;
    const label = words.trim();
    if (!picture || label === '') return;
    this.cancel();
    this.fault = '';
    const abort = new AbortController();
    this.#abort = abort;
    this.progress = 0;
    try {
      const tried = await this.#try(picture, label, abort);
      if (this.#abort !== abort || !tried) return;
      const others = this.used.filter(
        ({ name, content }) => name !== picture.name || content.size !== picture.content.size,
      );
      this.used = [...others, { ...picture, ...tried, label }];
    } catch (error) {
      if (this.#abort === abort) this.fault = `Nothing could be tried: ${(error as Error).message}`;
    } finally {
      if (this.#abort === abort) this.cancel();
    }
  }

  /** Gives up what is being tried. */
  cancel(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.progress = null;
  }

  /** Forgets all pictures where they were tried on a model that is read otherwise. */
  keepFor(about: string): void {
    if (about !== this.#about) this.forget();
    this.#about = about;
  }

  forget(): void {
    this.cancel();
    this.used = [];
    this.fault = '';
  }

  /** A ranked way of feeding as a fit takes it. */
  chosen(way: RankedFeeding): ChosenFeeding {
    return chosenFeeding(this.ranking!, way, this.used.length);
  }

  async #try(picture: PictureToLabel, label: string, { signal }: AbortController): Promise<TriedPicture | null> {
    const trial = await this.#ports.trial();
    const { model, kind, labels, isFedByOptions } = trial;
    const category = classNamed(label, labels);
    if (category === null) {
      this.fault = `The model has no class “${label}”. ${labels ? 'Give one of its labels, or' : 'Give its labels above, or'} the number of a class.`;
      return null;
    }
    signal.throwIfAborted();
    const present = presentFeeding(trial);
    const answer = { category, box: null };
    const tell = (fraction: number) => {
      if (!signal.aborted) this.progress = fraction;
    };
    const labelled = { model, kind, present, isFedByOptions, picture: picture.content, answer };
    return this.#ports.vision.tryFeedings(labelled, tell, signal);
  }
}
