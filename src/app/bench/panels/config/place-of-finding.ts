import { displayPath } from '../../../../machine/config/face/json.ts';
import type { Finding } from '../../../../machine/config/face/lint.ts';

/** Where a finding is, for a person: the component or service by its name, and what of it. Several may have the same attribute. */
export function placeOf({ path, resource }: Pick<Finding, 'path' | 'resource'>): string {
  if (path.length === 0) return 'the whole text';
  if (resource === '') return displayPath(path);
  const within = displayPath(path.slice(2));
  return within === '' ? resource : `${resource}: ${within}`;
}
