import type { Component } from 'svelte';
import CompareTab from './compare/CompareTab.svelte';
import CorrectTab from './correct/CorrectTab.svelte';
import EvaluationResults from './EvaluationResults.svelte';
import FeedingTab from './feeding/FeedingTab.svelte';
import JudgeTab from './judge/JudgeTab.svelte';
import type { EvaluateTabProps } from './evaluation/tab-props.ts';

/** The tabs of the results of a service that finds boxes, by the name that stands in the address. */
export const evaluateTabs: readonly {
  readonly value: string;
  readonly text: string;
  readonly content: Component<EvaluateTabProps>;
}[] = [
  { value: 'figures', text: 'Results', content: EvaluationResults as Component<EvaluateTabProps> },
  { value: 'compare', text: 'Compare', content: CompareTab as Component<EvaluateTabProps> },
  { value: 'judge', text: 'Spot-check', content: JudgeTab },
  { value: 'correct', text: 'Label next', content: CorrectTab },
  { value: 'feeding', text: 'Preprocessing', content: FeedingTab as Component<EvaluateTabProps> },
];
