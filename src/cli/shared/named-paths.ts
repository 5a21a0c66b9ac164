import { UsageError } from '../record/usage-error.ts';

/** Paths given as NAME=FILE by name, and the one given without a name. */
export interface NamedPaths {
  readonly unnamed: string | null;
  readonly byName: Readonly<Record<string, string>>;
}

/** NAME=FILE splits at the first "="; a path that itself holds "=" must be given as NAME=PATH. @throws UsageError */
export function parseNamedPaths(option: string, texts: readonly string[]): NamedPaths {
  let unnamed: string | null = null;
  const byName: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const text of texts) {
    const [, name, path] = /^([^=/\\]+)=(.+)$/s.exec(text) ?? [];
    if (name !== undefined && path !== undefined) {
      if (name in byName) throw new UsageError(`--${option} was given twice for "${name}".`);
      byName[name] = path;
    } else if (unnamed === null) unnamed = text;
    else throw new UsageError(`--${option} was given twice without a name: "${unnamed}" and "${text}".`);
  }
  return { unnamed, byName };
}
