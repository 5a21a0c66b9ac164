/** The vision service's own filter, as its attributes give it. */
export interface ServiceFilterRule {
  /** 0: no default threshold */
  readonly defaultMinimumConfidence: number;
  /** if not empty, this list alone decides, and a label that it lacks is dropped */
  readonly labelConfidences: Readonly<Record<string, number>>;
}

/** The filter of a `detections` or `classifications` step. */
export interface StepFilterRule {
  readonly confidenceThreshold: number;
  /** empty: all labels */
  readonly validLabels: readonly string[];
}

/**
 * The lowest score that is kept, by label index: a row is kept if its score is >= this. +Infinity: the label is not
 * listed, so no row is kept. -Infinity: no filter, so rows with NaN are kept too.
 */
export type Thresholds = Float64Array;

/**
 * Names the rule that decides: a list of labels replaces the default threshold.
 * @param rule the filter as the service's attributes give it
 * @returns the attribute that is in force; 'none': everything is kept
 * @example
 * ruleInForce({ defaultMinimumConfidence: 0.5, labelConfidences: { cat: 0.3 } }); // => 'label_confidences'
 * ruleInForce({ defaultMinimumConfidence: 0, labelConfidences: {} }); // => 'none'
 */
export function ruleInForce(rule: ServiceFilterRule): 'label_confidences' | 'default_minimum_confidence' | 'none' {
  if (Object.keys(rule.labelConfidences).length > 0) return 'label_confidences';
  return rule.defaultMinimumConfidence === 0 ? 'none' : 'default_minimum_confidence';
}

/**
 * Computes a service's threshold for each label. Labels are compared without case.
 * @param labels label table, by label index
 * @param rule the filter as the service's attributes give it
 * @returns the lowest score that is kept, by label index; Infinity: the label is not listed; -Infinity: no filter
 * @example
 * [...serviceThresholds(['cat', 'dog'], { defaultMinimumConfidence: 0.5, labelConfidences: {} })]; // => [0.5, 0.5]
 * [...serviceThresholds(['cat', 'dog'], { defaultMinimumConfidence: 0.5, labelConfidences: { CAT: 0.3 } })]; // => [0.3, Infinity]
 */
export function serviceThresholds(labels: readonly string[], rule: ServiceFilterRule): Thresholds {
  switch (ruleInForce(rule)) {
    case 'none':
      return new Float64Array(labels.length).fill(-Infinity);
    case 'default_minimum_confidence':
      return new Float64Array(labels.length).fill(rule.defaultMinimumConfidence);
    case 'label_confidences': {
      const byLabel = new Map(
        Object.entries(rule.labelConfidences).map(([label, confidence]) => [label.toLowerCase(), confidence]),
      );
      return Float64Array.from(labels, (label) => byLabel.get(label.toLowerCase()) ?? Infinity);
    }
  }
}

/** A step's thresholds for a label table; labels are compared without case. */
export function stepThresholds(labels: readonly string[], rule: StepFilterRule): Thresholds {
  const valid = new Set(rule.validLabels.map((label) => label.toLowerCase()));
  return Float64Array.from(labels, (label) =>
    valid.size === 0 || valid.has(label.toLowerCase()) ? rule.confidenceThreshold : Infinity,
  );
}

/** Computes thresholds once for each label table (by identity; see internLabels) instead of once for each frame. */
export function thresholdsByTable(
  thresholdsFor: (labels: readonly string[]) => Thresholds,
): (labels: readonly string[]) => Thresholds {
  const known = new WeakMap<readonly string[], Thresholds>();
  return (labels) => {
    const cached = known.get(labels);
    if (cached) return cached;
    const thresholds = thresholdsFor(labels);
    known.set(labels, thresholds);
    return thresholds;
  };
}
