import type { VisitSource } from '../../../platform/ports/source-store.ts';

/**
 * Which of the missing sources are still not on the bench: a source is back as itself, or if one with the same name
 * was added since `sinceMs`, one for each, as two folders may contain the same names.
 */
export function stillMissing<Source extends VisitSource>(
  missing: readonly Source[],
  here: readonly VisitSource[],
  sinceMs: number,
): readonly Source[] {
  const ids = new Set(here.map(({ id }) => id));
  const names = here.filter(({ cameAtMs }) => cameAtMs >= sinceMs).map(({ name }) => baseName(name));
  return missing.filter(({ id, name }) => {
    if (ids.has(id)) return false;
    const at = names.indexOf(baseName(name));
    if (at >= 0) names.splice(at, 1);
    return at < 0;
  });
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
