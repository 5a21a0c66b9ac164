import { labelLists } from './label-list.ts';
import { machineLabels } from './machine-labels.ts';
import { removeFix, renameFix, setFix, drawingSteps, visionServices, written, type Rule } from '../rule/rule.ts';

/**
 * A label with a space at its start or end, which nobody sees: the machine trims neither its label file nor what is
 * listed. Where the label file is at hand, it says what is right.
 */
export const labelSpace: Rule = {
  code: 'label-space',
  *check(context) {
    for (const { service, path, labels } of labelLists(context)) {
      if (Array.isArray(machineLabels(context, service.name))) continue;
      for (const label of Object.keys(labels).filter(hasSpace)) {
        const trimmed = label.trim();
        const place = [...path, label];
        yield {
          path: place,
          onKey: true,
          severity: 'warning',
          message: `"${label}" ${whereSpace(label)}: the machine takes it for another label than "${trimmed}".`,
          fix:
            trimmed === '' || trimmed in labels
              ? removeFix(context, `Remove "${label}"`, place)
              : renameFix(context, `Write "${trimmed}"`, place, trimmed),
        };
      }
    }
    for (const { service: named, attributes, attributesPath } of drawingSteps(context)) {
      const service = named?.value;
      if (typeof service === 'string' && Array.isArray(machineLabels(context, service))) continue;
      const listed = written(attributes, attributesPath, 'valid_labels');
      if (!listed || !Array.isArray(listed.value)) continue;
      for (const [at, label] of listed.value.entries()) {
        if (typeof label !== 'string' || !hasSpace(label)) continue;
        const trimmed = label.trim();
        yield {
          path: [...listed.path, at],
          severity: 'warning',
          message: `"${label}" ${whereSpace(label)}: the machine takes it for another label than "${trimmed}".`,
          fix: setFix(context, `Write "${trimmed}"`, [...listed.path, at], trimmed),
        };
      }
    }
    for (const service of visionServices(context)) {
      const spaced = context.facts[service.name]?.labels?.filter(hasSpace) ?? [];
      if (spaced.length === 0) continue;
      yield {
        path: service.path,
        severity: 'info',
        message:
          `The label file has ${spaced.map((label) => `"${label}"`).join(', ')} with a space at an end, ` +
          'which the machine keeps: write it so in label_confidences too, or fix the file.',
      };
    }
  },
};

const hasSpace = (label: string): boolean => label !== label.trim();

const whereSpace = (label: string): string => (label === label.trimEnd() ? 'begins with a space' : 'ends with a space');
