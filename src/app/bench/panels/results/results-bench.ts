import type { LabelColours } from '../../../kit/colours/label-colours.svelte.ts';
import type { MachineCheckBench } from '../../machine-check/machine-check-bench.ts';
import type { SolverBench } from '../../solver/solver-bench.ts';
import type { ThresholdsState } from '../../thresholds/thresholds-state.svelte.ts';
import type { ModelsBench } from '../models/models-bench.ts';

/** What the parts in this folder use of the bench. */
export interface ResultsBench extends MachineCheckBench, ModelsBench, SolverBench {
  readonly colours: LabelColours;
  /** whether the model that runs now made the result on the stage */
  readonly isOfThisModel: boolean;
  readonly thresholds: Pick<ThresholdsState, 'hasClasses'>;
}
