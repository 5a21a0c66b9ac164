import type { ShortcutRegistry } from '../../kit/keys/shortcut-registry.svelte.ts';
import type { Evaluation } from './evaluation.svelte.ts';
import type { ResultsView } from '../measure/results-view.svelte.ts';
import type { TunedThresholds } from '../goal/tuned-thresholds.ts';

/** What each tab of the results gets. */
export interface EvaluateTabProps {
  evaluation: Evaluation;
  view: ResultsView;
  thresholds: TunedThresholds;
  shortcuts: ShortcutRegistry;
}
