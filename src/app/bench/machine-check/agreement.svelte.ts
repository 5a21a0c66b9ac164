import { compareAnswers, type AnswerComparison } from '../../../remote/live-machine/compare-answers.ts';
import type { ReasonFacts, ServiceFacts } from '../../../remote/live-machine/likely-reasons.ts';
import type { FrameAnswer } from '../../../remote/live-machine/live-machine.ts';
import type { Detection, RawResults } from '../../../machine/vision/face/results.ts';
import { detectionsAt, serviceFilter, type ServiceFilterRule } from '../../../machine/vision/face/filters.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import { lateState } from '../session/late-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import { serviceFacts } from './service-facts.ts';

/** A filter that keeps everything. */
const everything: ServiceFilterRule = { defaultMinimumConfidence: 0, labelConfidences: {} };

export interface AgreementDependencies {
  readonly session: Pick<SessionState, 'current'>;
  readonly sources: SourcesState;
  /** the thresholds in force */
  readonly rule: () => ServiceFilterRule;
  /** whether steps run here between the machine's camera and the service */
  readonly hasSteps: () => boolean;
  readonly service: () => ServiceFacts;
}

/** Compares our results for the frame on the stage with the machine's, under the thresholds in force here. */
export class Agreement {
  readonly #dependencies: AgreementDependencies;

  constructor(dependencies: AgreementDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The machine's results for the frame on the stage; null: not requested, or for another picture than our model
   * saw.
   */
  readonly there: FrameAnswer | null = $derived.by(() => {
    const { session, sources, hasSteps } = this.#dependencies;
    const frame = session.current?.frame;
    if (!frame || sources.kind !== 'machine' || hasSteps()) return null;
    return sources.machine.saidOf(frame);
  });

  readonly comparison: AnswerComparison | null = $derived.by(() => {
    const { session, rule } = this.#dependencies;
    const { current } = session;
    if (!this.there || !current || (!current.detections && !current.classifications)) return null;
    return compareAnswers(answerUnder(current, rule()), this.there);
  });

  /** The machine's boxes, to be drawn over ours: all of them if any differs, otherwise none. */
  readonly theirBoxes: readonly Detection[] = $derived.by(() =>
    this.comparison?.verdict === 'differs' ? (this.there?.detections ?? []) : [],
  );

  /** What the likely reasons of a difference are told from. */
  get reasonFacts(): ReasonFacts {
    const { rule, service } = this.#dependencies;
    return { model: null, rule: rule(), service: service(), hasTheirRows: () => this.#hasTheirRows() };
  }

  #hasTheirRows(): boolean {
    const { current } = this.#dependencies.session;
    const { there } = this;
    if (!current || !there || !(there.detections?.length || there.classifications?.length)) return false;
    const { differences } = compareAnswers(answerUnder(current, everything), there);
    return differences.every(({ what, isRounding }) => what === 'only-here' || isRounding);
  }
}

/** The answer that the machine would give for raw results: filtered by the service, with all classes. */
export function answerUnder({ detections, classifications }: RawResults, rule: ServiceFilterRule): FrameAnswer {
  const filter = serviceFilter(rule);
  return {
    detections: detections && detectionsAt(detections, filter.rows(detections).kept),
    classifications: classifications && filter.classes(classifications, 0),
  };
}

/** What of a bench is compared with the machine. */
interface AgreementBench {
  readonly config: ConfigState;
  /** the result on the stage, if the present model made it */
  readonly shown: Pick<SessionState, 'current'>;
  readonly sources: SourcesState;
  readonly runsStepsOnMachine: boolean;
}

export const agreementOf = lateState(
  (bench: AgreementBench) =>
    new Agreement({
      session: bench.shown,
      sources: bench.sources,
      rule: () => bench.config.filter,
      hasSteps: () => bench.runsStepsOnMachine,
      service: () => serviceFacts(bench.config, bench.sources.machine.visionName),
    }),
);
