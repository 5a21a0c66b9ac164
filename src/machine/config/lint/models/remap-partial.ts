import { removeAt, setAt } from '../../json/edit-json.ts';
import { remaps, type ServiceRemap } from './remap-entry.ts';
import { rewriteFix, type LintContext, type Rule } from '../rule/rule.ts';

const detectionRoles = ['location', 'category', 'score'];

/** A remap of some of a detector's outputs: the machine then ignores it and guesses. */
export const remapPartial: Rule = {
  code: 'remap-partial',
  *check(context) {
    for (const remap of remaps(context)) {
      if (remap.side === 'input' || remap.entries.some(({ reversed }) => reversed)) continue;
      const given = remap.entries.filter(({ role }) => detectionRoles.includes(role));
      const missing = missingRoles(context, remap);
      if (given.length === 0 || missing.length === 0) continue;
      const tensors = remap.entries[0]?.tensors ?? [];
      const used = given.map(({ tensor }) => tensor);
      const canComplete = missing.every((role) => tensors.includes(role) && !used.includes(role));
      yield {
        path: remap.path,
        onKey: true,
        severity: 'warning',
        message: `The remap lacks ${missing.join(' and ')}; the machine ignores an incomplete one and guesses.`,
        fix: canComplete
          ? rewriteFix(context, `Add ${missing.join(' and ')}`, (text) =>
              missing.reduce((result, role) => setAt(result, [...remap.path, role], role), text),
            )
          : rewriteFix(context, 'Remove it and let the machine guess', (text) =>
              given.length === remap.entries.length
                ? removeAt(text, remap.path)
                : given.reduce((result, { path }) => removeAt(result, path), text),
            ),
      };
    }
  },
};

/** Roles that are still needed for the remap to be used: location and score, and category unless the scores hold it. */
function missingRoles(context: LintContext, { service, entries }: ServiceRemap): readonly string[] {
  const has = (role: string): boolean => entries.some((entry) => entry.role === role);
  const missing = ['location', 'score'].filter((role) => !has(role));
  const outputs = context.facts[service.name]?.outputs;
  if (!outputs || has('category')) return missing;
  const scoreTensor = entries.find(({ role }) => role === 'score')?.tensor;
  const scores = outputs.find(({ name }) => name === scoreTensor);
  const categoryInScores = outputs.length === 2 || scores === undefined || scores.shape.length === 3;
  return categoryInScores ? missing : [...missing, 'category'];
}
