import { visionServices, type Rule } from '../rule/rule.ts';

/** A label file of one line, which the machine takes apart: at commas, or else at blanks. */
export const labelLine: Rule = {
  code: 'label-line',
  *check(context) {
    for (const service of visionServices(context)) {
      const split = context.facts[service.name]?.labelsSplit;
      if (!split) continue;
      const shown = split.labels.slice(0, mostShown).map((label) => `"${label}"`);
      const list = split.labels.length > mostShown ? [...shown, '…'].join(', ') : shown.join(', ');
      yield {
        path: service.path,
        // Commas are meant to part labels; a label of two words is not meant to be two.
        severity: split.at === 'blanks' ? 'warning' : 'info',
        message: `The label file has one line, which the machine splits at ${split.at} into ${split.labels.length} labels: ${list}. Write one label a line.`,
      };
    }
  },
};

const mostShown = 4;
