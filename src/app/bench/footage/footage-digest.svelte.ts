import type { FootageFrame } from '../../../evidence/footage/footage-frame.ts';
import type { Change } from '../../../evidence/footage/changes.ts';
import { framesAPage, pageOf } from '../../../evidence/footage/pack-frames.ts';
import { RunDigest, type DigestedRun } from '../../../evidence/footage/run-digest.ts';
import { RunScores } from '../../../evidence/footage/run-scores.ts';
import { ScoresPlay } from '../../../evidence/footage/scores-play.ts';
import type { LabelTimeline, TimelineSpan } from '../../../evidence/footage/timeline.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import type { ServiceFilterRule } from '../../../machine/vision/face/filters.ts';
import type { RunFrames } from './run-frames.ts';

type DigestView = Pick<DigestedRun, 'labels' | 'changes' | 'failedCount'>;

/** The frames to digest, and how. */
export interface DigestOrder {
  readonly frames: RunFrames;
  readonly rule: ServiceFilterRule;
  readonly span: TimelineSpan;
  readonly holdMs: number;
}

/** Frames on their way from the run into what is made of them. */
interface Reading<To extends { add(frame: FootageFrame): void }> {
  readonly frames: RunFrames;
  readonly to: To;
  /** number of the next frame that is added */
  next: number;
  /** adds what there is; resolves when no frame is left */
  adding: Promise<void> | null;
}

/** What the scores say under a rule. */
interface Played {
  readonly order: DigestOrder;
  readonly play: ScoresPlay;
  /** where the scores lack rows that the rule keeps: all frames are read again */
  exact: Reading<RunDigest> | null;
}

const nothing: DigestView = { labels: [], changes: [], failedCount: 0 };

/** How often the result so far is shown while frames are read back, ms. */
const shownEveryMs = 500;
/** Scores are played no longer than this at a time: a page that draws 60 pictures a second misses one or two, ms. */
const playedForMs = 25;

/** The digest of a run: it grows with the run, and another rule is played on the scores that are in memory. */
export class FootageDigest {
  readonly #now: () => number;
  readonly #mostRows: number | undefined;
  #reading: Reading<RunScores> | null = null;
  #played: Played | null = null;
  #view = $state.raw(nothing);
  #share = $state(1);
  #fault = $state('');

  /** @param mostRows that are held in memory; default: as `RunScores` has it */
  constructor(now: () => number, mostRows?: number) {
    this.#now = now;
    this.#mostRows = mostRows;
  }

  get labels(): readonly LabelTimeline[] {
    return this.#view.labels;
  }

  get changes(): readonly Change[] {
    return this.#view.changes;
  }

  get failedCount(): number {
    return this.#view.failedCount;
  }

  /** 0..1 of the frames that are in it. Below 1 while those of a long run are read back. */
  get share(): number {
    return this.#share;
  }

  /** Why frames could not be read back; '': they could. */
  get fault(): string {
    return this.#fault;
  }

  /**
   * Adds the frames that are not in it yet. Resolves to the digest of all of them, once it is whole; null: another rule came,
   * or frames could not be read back.
   */
  async follow(order: DigestOrder): Promise<DigestedRun | null> {
    const { frames, rule, span, holdMs } = order;
    if (this.#reading && this.#reading.frames !== frames) this.forget(); // those of another run, maybe of another model
    if (this.#reading?.to.span.toMs !== span.toMs) {
      this.#reading = readingOf(frames, new RunScores(span, this.#mostRows));
      this.#played = null;
    }
    const reading = this.#reading!;
    if (this.#played?.order.rule !== rule)
      this.#played = { order, play: new ScoresPlay(reading.to, rule, holdMs), exact: null };
    const played = this.#played;
    const isCurrent = (): boolean => this.#played === played;
    let digest: DigestedRun | null;
    do {
      await this.#add(reading, () => this.#reading === reading, () => this.#showPart(reading)); // prettier-ignore
      digest = isCurrent() && !this.#fault ? await this.#play(reading, played, isCurrent) : null;
    } while (digest && reading.next <= (frames.last?.index ?? -1));
    return digest;
  }

  /** Shows nothing until frames are added again. */
  forget(): void {
    this.#reading = null;
    this.#played = null;
    this.#view = nothing;
    this.#share = 1;
    this.#fault = '';
  }

  /** Plays what is not played yet, in pieces. null: another rule came meanwhile, or frames could not be read back. */
  async #play(
    { to: scores }: Reading<RunScores>,
    played: Played,
    isCurrent: () => boolean,
  ): Promise<DigestedRun | null> {
    for (;;) {
      if (!scores.hasAllOf(played.order.rule)) return this.#playExactly(played, isCurrent);
      if (played.play.play(this.#deadline())) break;
      await new Promise((resolve) => setTimeout(resolve));
      if (!isCurrent()) return null;
    }
    const digest = played.play.digest();
    this.#show(digest, 1);
    return digest;
  }

  async #playExactly(played: Played, isCurrent: () => boolean): Promise<DigestedRun | null> {
    const { frames, rule, span, holdMs } = played.order;
    const exact = (played.exact ??= readingOf(frames, new RunDigest(span, rule, holdMs)));
    await this.#add(exact, isCurrent, () => this.#show(copyOf(exact.to), shareOf(exact)));
    if (!isCurrent() || this.#fault) return null;
    this.#show(copyOf(exact.to), 1);
    return exact.to;
  }

  /** Adds what there is, once for all who wait for it. */
  async #add(reading: Reading<RunScores | RunDigest>, isWanted: () => boolean, show: () => void): Promise<void> {
    reading.adding ??= this.#addAll(reading, isWanted, show).finally(() => (reading.adding = null));
    await reading.adding;
  }

  async #addAll(reading: Reading<RunScores | RunDigest>, isWanted: () => boolean, show: () => void): Promise<void> {
    const { frames, to } = reading;
    let shownMs = this.#now();
    try {
      for (let last = frames.last?.index ?? -1; reading.next <= last; last = frames.last!.index) {
        const number = pageOf(reading.next);
        const page = await frames.page(number);
        if (!isWanted()) return;
        for (const frame of page) {
          if (frame.index < reading.next || frame.index > last) continue;
          to.add(frame);
          reading.next = frame.index + 1;
        }
        // Damaged frames are not there.
        reading.next = Math.max(reading.next, Math.min(last + 1, (number + 1) * framesAPage));
        if (this.#now() - shownMs < shownEveryMs) continue;
        shownMs = this.#now();
        show();
      }
      this.#fault = '';
    } catch (error) {
      if (isWanted()) this.#fault = errorMessage(error);
    }
  }

  /** Shows what the rule in force says of the frames so far. */
  #showPart(reading: Reading<RunScores>): void {
    const { order, play } = this.#played!;
    if (!reading.to.hasAllOf(order.rule)) return;
    play.play(this.#deadline());
    this.#show(play.digest(), shareOf(reading));
  }

  #deadline(): () => boolean {
    const endMs = this.#now() + playedForMs;
    return () => this.#now() >= endMs;
  }

  #show(view: DigestView, share: number): void {
    this.#view = view;
    this.#share = share;
  }
}

const readingOf = <To extends RunScores | RunDigest>(frames: RunFrames, to: To): Reading<To> => ({
  frames,
  to,
  next: 0,
  adding: null,
});

const shareOf = ({ next, frames }: Reading<RunScores | RunDigest>): number => {
  const last = frames.last?.index ?? -1;
  return next > last ? 1 : next / (last + 1);
};

/** The arrays of a digest that is gathered grow: what is drawn is another object. */
const copyOf = ({ labels, changes, failedCount }: DigestView): DigestView => ({
  labels: labels.map((one) => ({
    ...one,
    frames: one.frames.slice(),
    most: one.most.slice(),
    best: one.best.slice(),
    scores: one.scores.slice(),
  })),
  changes: [...changes],
  failedCount,
});
