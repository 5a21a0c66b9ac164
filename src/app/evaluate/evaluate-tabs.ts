import type { Component } from 'svelte';
import type { Evaluation } from './evaluation.svelte.ts';
import EvaluationResults from './EvaluationResults.svelte';
import type { ResultsView } from './measure/results-view.svelte.ts';
import type { TunedThresholds } from './tuned-thresholds.ts';

/** What each tab of the results gets. */
export interface EvaluateTabProps {
  evaluation: Evaluation;
  view: ResultsView;
  thresholds: TunedThresholds;
}

/** The tabs of the results of a service that finds boxes, by the name that stands in the address. */
export const evaluateTabs: readonly {
  readonly value: string;
  readonly text: string;
  readonly content: Component<EvaluateTabProps>;
}[] = [{ value: 'figures', text: 'Figures', content: EvaluationResults as Component<EvaluateTabProps> }];
