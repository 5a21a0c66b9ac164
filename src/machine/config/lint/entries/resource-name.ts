import { freeName } from '../../edit/edit-config.ts';
import { setFix, type Rule } from '../rule/rule.ts';

/** A camera, vision service or ML model service without a name, or with one that is taken. */
export const resourceName: Rule = {
  code: 'resource-name',
  *check(context) {
    const taken = new Set<string>();
    for (const { kind, name, path } of context.entries) {
      if (kind === 'other') continue;
      const group = kind.replace(/^.*-/, '');
      const key = `${group} ${name}`;
      if (name !== '' && !taken.has(key)) {
        taken.add(key);
        continue;
      }
      const free = freeName(context.text, name || group);
      yield {
        path: [...path, 'name'],
        severity: 'error',
        message:
          name === '' ? 'This resource has no name.' : `Another ${nouns[group] ?? group} is named "${name}" already.`,
        fix: setFix(context, `Name it "${free}"`, [...path, 'name'], free),
      };
    }
  },
};

const nouns: Readonly<Record<string, string>> = { vision: 'vision service', mlmodel: 'ML model service' };
