import type { TrialModel } from '../../../../workers/fit/client.ts';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import { classNamed } from '../../../models/fit/solver/known-answer.ts';
import {
  chosenFeeding,
  presentFeeding,
  rankFeedings,
  type ChosenFeeding,
  type FeedingRanking,
  type RankedFeeding,
} from '../../../models/fit/solver/rank-feedings.ts';
import { LatestRun } from '../../kit/runs/latest-run.svelte.ts';
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

/** Asks what is on a picture, and finds by it how the model is to be fed. Its progress is 0..1. */
export class KnownAnswer extends LatestRun<number> {
  readonly #ports: KnownAnswerPorts;
  /** the picture to be labelled next; null: there is none */
  picture = $state.raw<PictureToLabel | null>(null);
  /** the labelled pictures, each of which adds what it says */
  used = $state.raw<readonly UsedPicture[]>([]);
  readonly ranking: FeedingRanking | null = $derived.by(() => {
    const [first] = this.used;
    return first ? rankFeedings(first.inputs, this.used.map(({ tried }) => tried)) : null; // prettier-ignore
  });
  #about = '';

  constructor(ports: KnownAnswerPorts) {
    super();
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
    this.fault = null;
  }

  /** Tries every usual way of feeding on the picture, on which there is what a person says. */
  async say(words: string): Promise<void> {
    const { picture } = this;
    const label = words.trim();
    if (!picture || label === '') return;
    await this.begin({
      first: 0,
      run: (tell, signal) => this.#try(picture, label, tell, signal),
      take: (tried) => {
        if (typeof tried === 'string') this.fault = tried;
        else this.used = [...this.used.filter((one) => !isSame(one, picture)), { ...picture, ...tried, label }];
      },
      faultOf: (error) => `Nothing could be tried: ${errorMessage(error)}`,
    });
  }

  /** Forgets all pictures where they were tried on a model that is read otherwise. */
  keepFor(about: string): void {
    if (about !== this.#about) this.forget();
    this.#about = about;
  }

  forget(): void {
    this.cancel();
    this.used = [];
    this.fault = null;
  }

  /** A ranked way of feeding as a fit takes it. */
  chosen(way: RankedFeeding): ChosenFeeding {
    return chosenFeeding(this.ranking!, way, this.used.length);
  }

  /** Resolves to why nothing was tried where the model has no such class. */
  async #try(
    picture: PictureToLabel,
    label: string,
    tell: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<TriedPicture | string> {
    const trial = await this.#ports.trial();
    const { model, kind, labels, isFedByOptions } = trial;
    const category = classNamed(label, labels);
    if (category === null)
      return `The model has no class “${label}”. ${labels ? 'Give one of its labels, or' : 'Give its labels above, or'} the number of a class.`;
    signal.throwIfAborted();
    const answer = { category, box: null };
    const labelled = { model, kind, present: presentFeeding(trial), isFedByOptions, picture: picture.content, answer };
    return this.#ports.vision.tryFeedings(labelled, tell, signal);
  }
}

const isSame = (one: PictureToLabel, other: PictureToLabel): boolean =>
  one.name === other.name && one.content.size === other.content.size;
