/** What of package-lock.json is read. Paths of packages are its keys; '' is the package itself. */
export interface PackageLock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface ShippedPackage {
  readonly name: string;
  /** folder of the package, such as `node_modules/svelte/node_modules/magic-string` */
  readonly path: string;
  readonly version: string;
  /** SPDX expression */
  readonly licence: string;
}

/**
 * The packages that a user gets: those that the bundles and their workers are made of, and those that are installed beside the
 * command line. That is all that the dependencies lead to, by path.
 */
export function shippedPackages({ packages }: PackageLock): ShippedPackage[] {
  const found = new Map<string, ShippedPackage>();
  const visit = (path: string): void => {
    const { dependencies, optionalDependencies } = packages[path]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const dependency = resolve(packages, path, name);
      if (dependency === null || found.has(dependency)) continue;
      const { version, license } = packages[dependency]!;
      if (version === undefined || license === undefined) {
        throw new Error(`package-lock.json tells no version or licence of ${dependency}; install it again.`);
      }
      found.set(dependency, { name, path: dependency, version, licence: license });
      visit(dependency);
    }
  };
  visit('');
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The path of a package as Node finds it: beside the package that asks, then further out. */
function resolve(packages: PackageLock['packages'], from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return null; // an optional one that this lock leaves out
  }
}
