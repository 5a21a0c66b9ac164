import { findEntry } from '../../parse/config-entries.ts';
import { labelLists } from './label-list.ts';
import { isIndexNumber, machineLabels, useOfferedFix } from './machine-labels.ts';
import { drawingSteps, written, type LintContext, type Report, type Rule } from '../rule/rule.ts';

/** Names where the machine, for want of a label file, says index numbers: nothing carries them, so nothing passes. */
export const labelNumbers: Rule = {
  code: 'label-numbers',
  *check(context) {
    for (const { service, path, labels } of labelLists(context)) {
      const report = namesAmongNumbers(context, service.name, Object.keys(labels));
      if (report) yield { ...report, path, onKey: true };
    }
    for (const { service: named, attributes, attributesPath } of drawingSteps(context)) {
      const service = named?.value;
      const listed = written(attributes, attributesPath, 'valid_labels');
      if (typeof service !== 'string' || !findEntry(context.entries, service, 'mlmodel-vision')) continue;
      if (!listed || !Array.isArray(listed.value)) continue;
      const labels = listed.value.filter((label): label is string => typeof label === 'string');
      const report = namesAmongNumbers(context, service, labels);
      if (report) yield { ...report, path: listed.path, onKey: true };
    }
  },
};

function namesAmongNumbers(
  context: LintContext,
  service: string,
  labels: readonly string[],
): Omit<Report, 'path'> | undefined {
  if (machineLabels(context, service) !== 'index numbers') return undefined;
  const names = labels.filter((label) => !isIndexNumber(label));
  if (names.length === 0) return undefined;
  const fix = useOfferedFix(context, service, names);
  return {
    severity: 'warning',
    message:
      `No label_path names a label file, so the machine says index numbers (0, 1 …) and never ${names.map((name) => `"${name}"`).join(', ')}: ` +
      'nothing of that name passes. Name a label file in the ML model service; labels inside the model file are not read.',
    ...(fix && { fix }),
  };
}
