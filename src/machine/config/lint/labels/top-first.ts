import { machineLabels } from './machine-labels.ts';
import { drawingSteps, numberOf, setFix, written, type Rule } from '../rule/rule.ts';

/** A step that asks for the top classes before it looks for its labels among them. */
export const topFirst: Rule = {
  code: 'top-first',
  *check(context) {
    for (const { type, service, attributes, attributesPath } of drawingSteps(context)) {
      if (type !== 'classifications') continue;
      const listed = written(attributes, attributesPath, 'valid_labels');
      if (!Array.isArray(listed?.value) || listed.value.length === 0) continue;
      const count = written(attributes, attributesPath, 'max_classifications');
      const most = numberOf(count);
      const known = typeof service?.value === 'string' ? machineLabels(context, service.value) : 'unknown';
      const all = Array.isArray(known) ? known.length : plenty;
      const top = Math.max(1, Math.trunc(most ?? 0));
      if (most === undefined || most < 0 || top >= all) continue;
      const path = count?.path ?? [...attributesPath, 'max_classifications'];
      yield {
        path: listed.path,
        severity: 'warning',
        message: `The machine takes the top ${top} of all classes first and looks for valid_labels among ${top === 1 ? 'it' : 'them'}: a label that is not there is not drawn.`,
        fix: setFix(context, `Take the top ${all}`, path, all),
      };
    }
  },
};

/** The count to offer for a model whose labels are not known. The machine takes all where there are fewer. */
const plenty = 1000;
