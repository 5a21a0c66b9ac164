import type { VisionServiceConfig } from '../../../machine/config/face/machine-config.ts';
import type { Outputs } from '../../../machine/vision/face/results.ts';
import type { ServiceFilterRule } from '../../../machine/vision/face/filters.ts';
import { editsOf, type InterpretationEdits } from '../interpretations/interpretation-edits.ts';
import type { Hypothesis, Turn } from './hypothesis.ts';

/** The changes that make a hypothesis hold; what is null stays as it is. Where `edits` say what they need, the model is written anew. */
export interface Cure {
  readonly edits: InterpretationEdits;
  readonly labels: readonly string[] | null;
  readonly filter: ServiceFilterRule | null;
  /** clockwise, by a step of the camera */
  readonly turnDegs: Turn;
}

/**
 * Says what makes a hypothesis true: the configuration, or the options of a rewritten model.
 * @param hypothesis what is supposed
 * @param config the vision service as it is now
 * @param outputs of one run, by tensor name
 * @returns edits, labels, filter and turn; null: it stays as it is
 * @example
 * const config = { remapOutputNames: {}, boxOrder: null, bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1], defaultMinimumConfidence: 0 };
 * const feeding = { input: { bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' }, turnDegs: 0 };
 * const output = { kind: 'classifications', probability: 'scores', activation: 'none', classBase: 0 };
 * const hypothesis = { feeding, output, labels: ['cat', 'dog'], filter: null, changes: ['labels'] };
 * cureOf(hypothesis, config, new Map()).labels; // => ['cat', 'dog']
 */
export function cureOf(hypothesis: Hypothesis, config: VisionServiceConfig, outputs: Outputs): Cure {
  const { feeding, output, labels, filter, changes } = hypothesis;
  const edits = editsOf({ input: feeding.input, output, why: '' }, config, outputs, labels);
  return {
    edits: {
      ...edits,
      needs: changes.includes('suppression') ? [...edits.needs, suppression] : edits.needs,
      labelConfidences: changes.includes('background') ? edits.labelConfidences : null,
    },
    labels: changes.includes('labels') ? labels : null,
    filter: changes.includes('threshold') ? filter : null,
    turnDegs: feeding.turnDegs,
  };
}

/** Every family that is written anew does so, without an option. */
const suppression = 'The machine takes no box away that lies over another: that must be done inside the graph.';
