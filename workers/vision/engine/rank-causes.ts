import type { DrawnBox } from '../../../src/models/fit/solver/drawn-box.ts';
import type { Views } from '../../../src/models/fit/solver/evidence.ts';
import type { Feeding, Hypothesis } from '../../../src/models/fit/solver/hypothesis.ts';
import {
  listFeedings,
  listOutputs,
  presentOutput,
  type FeedingHypothesis,
} from '../../../src/models/fit/solver/list-hypotheses.ts';
import { listRepairs } from '../../../src/models/fit/solver/list-repairs.ts';
import {
  inOrder,
  judgeHypothesis,
  type FedFrame,
  type RankContext,
  type RankedHypothesis,
} from '../../../src/models/fit/solver/rank-hypotheses.ts';
import type { Symptom } from '../../../src/models/fit/solver/symptom.ts';
import type { InputInterpretation } from '../../../src/models/fit/interpretations/interpretation.ts';
import type { Run } from '../../../src/models/fit/interpretations/rank-interpretations.ts';
import { hasMargin } from '../../../src/models/fit/interpretations/letterbox-kernel.ts';
import type { ServiceFilterRule, VisionService } from '../../../src/machine/vision/face/filters.ts';
import type { StatedFeeding } from '../../../src/machine/vision/face/inference.ts';
import type { Frame } from '../../../src/machine/vision/face/frames.ts';
import type { PipelinePorts } from '../../../src/machine/vision/face/runs.ts';
import { inputOf, ViewRuns } from '../../../src/models/fit/solver/view-runs.ts';

export interface SymptomSearch {
  readonly service: VisionService;
  /** the current filter, which changes without rebuilding the service */
  readonly filter: ServiceFilterRule;
  /** the service hides its first label, so a background class there is harmless */
  readonly dropsFirstLabel: boolean;
  /** input pictures of the model, the one on the stage first, each with the model's outputs if it was run */
  readonly frames: readonly { readonly frame: Frame; readonly run: Run | null; readonly drawn: readonly DrawnBox[] }[];
  readonly symptom: Symptom;
  readonly ownLabels: readonly string[] | null;
  /** what the model file, or its family, says of how it is fed; null: nothing */
  readonly statedFeeding: StatedFeeding | null;
  readonly ports: PipelinePorts;
  /** after this time in ms, nothing new is started */
  readonly budgetMs: number;
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/** how many interpretations of the outputs, beside the present one, each way of feeding is judged by */
const mostInterpretations = 3;
/** how many ways of feeding are run on all frames and views: with fewer, feedings that drive scores to 1 crowd the right one out */
const mostFed = 8;
const viewsOfEach = 3;

/**
 * Ranks everything that may be wrong with a service, best first: every interpretation of the model's outputs, and ways of
 * feeding it, each of which is run. [] if its outputs are neither boxes nor classes.
 * @throws InferenceError; the signal's reason when it aborts
 */
export async function rankCauses(search: SymptomSearch): Promise<readonly RankedHypothesis[]> {
  return inOrder(await new Solver(search).rank());
}

class Solver {
  readonly #search: SymptomSearch;
  readonly #runs: readonly ViewRuns[];
  readonly #present: InputInterpretation;
  readonly #context: RankContext;
  readonly #startMs: number;
  #tried = 0;
  #toTry = 1;
  #frameCount = 1;
  #isClassifier = false;

  constructor(search: SymptomSearch) {
    const { frames, service, ports, symptom, ownLabels, statedFeeding } = search;
    this.#search = search;
    this.#runs = frames.map(({ frame }) => new ViewRuns(frame, service, ports));
    this.#present = inputOf(service);
    // A model that takes bytes has no value range.
    const said = statedFeeding && (service.input.dtype === 'uint8' ? { ...statedFeeding, range: null } : statedFeeding);
    this.#context = { symptom, ownLabels, told: said && { said, present: this.#present } };
    this.#startMs = ports.nowMs();
  }

  async rank(): Promise<RankedHypothesis[]> {
    const { service, frames } = this.#search;
    const [asItIs, ...others] = listFeedings(this.#present, service.input.dtype, this.#context.told).filter(
      ({ feeding }) => feeding.input.fit === 'stretch' || hasMargin(frames[0]!.frame, service.input),
    );
    const { feeding } = asItIs!;
    const first = await this.#firstRun(feeding, others.length);
    const runs = [first];
    for (let at = 1; at < this.#frameCount; at++) runs.push(frames[at]!.run ?? (await this.#run(at, feeding)));

    const read = await this.#readOutputs(feeding, runs);
    const asNow = read.find(({ hypothesis }) => hypothesis.changes.length === 0);
    const alternatives = inOrder(read.filter((one) => one !== asNow));
    const bases = [...(asNow ? [asNow] : []), ...alternatives.slice(0, mostInterpretations)];
    const fed = await this.#feedOtherwise(
      others,
      bases.map(({ hypothesis }) => hypothesis),
    );
    const ranked = inOrder([...read, ...fed]);
    return [...ranked, ...(ranked[0] ? await this.#beside(ranked[0]) : [])];
  }

  /**
   * What may be wrong beside the best hypothesis: where it feeds the model otherwise, the camera may be turned as well, or
   * its colours exchanged; and only read rightly do boxes say that the labels are one line off.
   */
  async #beside({ hypothesis }: RankedHypothesis): Promise<RankedHypothesis[]> {
    const { feeding, changes } = hypothesis;
    const { input, turnDegs } = feeding;
    if (changes.length === 0) return [];
    const isFedAsNow = input === this.#present && turnDegs === 0;
    const further: readonly FeedingHypothesis[] = isFedAsNow
      ? []
      : turnDegs === 0
        ? ([180, 90, 270] as const).map((turn) => ({ feeding: { input, turnDegs: turn }, changes: ['turn'] }))
        : [{ feeding: { input: { ...input, bgr: !input.bgr }, turnDegs }, changes: ['colours'] }];
    const judged: RankedHypothesis[] = [];
    for (const one of [{ feeding, changes: [] }, ...further]) {
      if (this.#isLate) break;
      const fed = await this.#fed(one.feeding).catch((error: unknown) => this.#unlessAborted(error));
      if (!fed) continue;
      const also = this.#judge({ ...hypothesis, feeding: one.feeding, changes: [...changes, ...one.changes] }, fed);
      if (!also) continue;
      if (one.changes.length > 0) judged.push(also);
      judged.push(
        ...listRepairs(also)
          .filter((repair) => !repair.changes.some((change) => changes.includes(change)))
          .map((repair) => ({ ...repair, changes: [...also.hypothesis.changes, ...repair.changes] }))
          .flatMap((repaired) => this.#judge(repaired, fed) ?? []),
      );
    }
    return judged;
  }

  async #fed(feeding: Feeding): Promise<FedFrame[]> {
    const runs = [];
    for (let at = 0; at < this.#frameCount; at++) runs.push(await this.#run(at, feeding));
    return this.#seeAll(feeding, runs);
  }

  /** Also measures how many frames there is time for. */
  async #firstRun(feeding: Feeding, others: number): Promise<Run> {
    const { ports, budgetMs, frames } = this.#search;
    const first = await this.#run(0, feeding);
    const runMs = Math.max(1, ports.nowMs() - this.#startMs);
    const perFrame = viewsOfEach * (1 + mostFed);
    this.#frameCount = Math.max(1, Math.min(frames.length, Math.floor((budgetMs / 2 / runMs - others) / perFrame)));
    this.#toTry = perFrame * this.#frameCount + others;
    return first;
  }

  /**
   * Every interpretation of the model's outputs with the present feeding, and fixes of the labels or the filter for the
   * present interpretation.
   */
  async #readOutputs(feeding: Feeding, runs: readonly Run[]): Promise<RankedHypothesis[]> {
    const { service, filter, dropsFirstLabel } = this.#search;
    const { remapOutputNames } = service.config;
    const { outputs } = runs[0]!;
    const present = presentOutput(outputs, { remapOutputNames, boxOrder: service.boxOrder, dropsFirstLabel });
    const listed = listOutputs(outputs, present);
    if (listed.length === 0) return [];
    this.#isClassifier = present?.kind === 'classifications';
    const fed = await this.#seeAll(feeding, runs);
    const same = { feeding, labels: service.labels, filter, suppresses: false };
    const read = listed.flatMap(({ output, changes }) => this.#judge({ ...same, output, changes }, fed) ?? []);
    const asNow = read.find(({ hypothesis }) => hypothesis.changes.length === 0);
    const repaired = asNow ? listRepairs(asNow).flatMap((repair) => this.#judge(repair, fed) ?? []) : [];
    return [...read, ...repaired];
  }

  /**
   * Tries every other feeding on the first frame with the likely interpretations, and the best of them on all frames and
   * views.
   */
  async #feedOtherwise(
    others: readonly FeedingHypothesis[],
    bases: readonly Hypothesis[],
  ): Promise<RankedHypothesis[]> {
    const screened: { readonly run: Run; readonly tried: readonly Hypothesis[]; readonly quality: number }[] = [];
    for (const { feeding, changes } of bases.length > 0 ? others : []) {
      if (this.#isLate) break;
      const run = await this.#run(0, feeding).catch((error: unknown) => this.#unlessAborted(error));
      if (!run) continue;
      const tried = bases.map((base) => ({ ...base, feeding, changes: [...changes, ...base.changes] }));
      const fed = [this.#fedFrame(0, { run, mirrored: null, moved: null, flat: null })];
      const quality = Math.max(...tried.map((hypothesis) => this.#judge(hypothesis, fed)?.quality ?? 0));
      screened.push({ run, tried, quality });
    }
    const judged: RankedHypothesis[] = [];
    for (const { run, tried } of screened.toSorted((a, b) => b.quality - a.quality).slice(0, mostFed)) {
      if (this.#isLate) break;
      const { feeding } = tried[0]!;
      const runs = [run];
      for (let at = 1; at < this.#frameCount; at++) runs.push(await this.#run(at, feeding));
      const fed = await this.#seeAll(feeding, runs);
      judged.push(...tried.flatMap((hypothesis) => this.#judge(hypothesis, fed) ?? []));
    }
    return judged;
  }

  get #isLate(): boolean {
    return this.#search.ports.nowMs() - this.#startMs > this.#search.budgetMs;
  }

  #judge(hypothesis: Hypothesis, fed: readonly FedFrame[]): RankedHypothesis | null {
    return judgeHypothesis(hypothesis, fed, this.#context);
  }

  /** Runs the other views of every frame. */
  async #seeAll(feeding: Feeding, runs: readonly Run[]): Promise<FedFrame[]> {
    const fed: FedFrame[] = [];
    for (const [at, run] of runs.entries()) {
      const see = (view: 'mirrored' | 'moved' | 'flat') => this.#step(() => this.#runs[at]!.view(view, feeding, run));
      const [mirrored, moved] = [await see('mirrored'), await see('moved')];
      fed.push(this.#fedFrame(at, { run, mirrored, moved, flat: this.#isClassifier ? await see('flat') : null }));
    }
    return fed;
  }

  #fedFrame(at: number, views: Views): FedFrame {
    const { frame, drawn } = this.#search.frames[at]!;
    return { frame, views, drawn };
  }

  #run(at: number, feeding: Feeding): Promise<Run> {
    return this.#step(() => this.#runs[at]!.run(feeding));
  }

  async #step<T>(work: () => Promise<T>): Promise<T> {
    const { signal, onProgress } = this.#search;
    signal.throwIfAborted();
    onProgress(Math.min(1, this.#tried++ / this.#toTry));
    const done = await work();
    signal.throwIfAborted();
    return done;
  }

  /** A model may refuse an input; then that is no way to feed it. */
  #unlessAborted(error: unknown): null {
    if (this.#search.signal.aborted) throw error;
    return null;
  }
}
