import type { MachineHealth } from './live-machine.ts';

/** Whose configuration it is, as far as it says itself. */
export interface ConfigurationOrigin {
  /** the part of an account that it was read from; null of a file */
  readonly partId: string | null;
  /** names of the resources that it configures */
  readonly resources: readonly string[];
  /** false: fragments or remotes bring more than it names */
  readonly isWhole: boolean;
}

/** What a machine says of itself. */
export interface MachineIdentity {
  readonly host: string;
  /** null where it does not say, or belongs to no account */
  readonly partId: string | null;
  readonly health: MachineHealth;
}

/** Why a machine may not be the one that a configuration is of. */
export interface Doubt {
  /** whether the machine is another one for sure */
  readonly isCertain: boolean;
  readonly words: string;
}

const mostNames = 3;
const listed = new Intl.ListFormat('en');

/** Compares a configuration, as it was read, with the machine that is connected; null = nothing speaks against that one. */
export function doubtOfMachine(origin: ConfigurationOrigin, { host, partId, health }: MachineIdentity): Doubt | null {
  if (origin.partId !== null && partId !== null) {
    if (origin.partId === partId) return null;
    const words = `${host} is another machine: it is part ${partId}, and this is the configuration of part ${origin.partId}.`;
    return { isCertain: true, words };
  }
  if (partId !== null) {
    return {
      isCertain: false,
      words: `${host} has its configuration from an account, as part ${partId}: it may not take up what is in a file.`,
    };
  }
  const there = health.resources.filter(isConfigured).map(({ name }) => name);
  const missing = origin.resources.filter((name) => !there.includes(name));
  const more = origin.isWhole ? there.filter((name) => !origin.resources.includes(name)) : [];
  if (missing.length + more.length > 0) {
    const lacks = missing.length > 0 ? [`it does not have ${listOf(missing)}`] : [];
    const has = more.length > 0 ? [`it has ${listOf(more)}, which this configuration does not`] : [];
    return { isCertain: false, words: `${host} may be another machine: ${[...lacks, ...has].join(', and ')}.` };
  }
  if (origin.partId === null) return null;
  return {
    isCertain: false,
    words: `Whether ${host} is part ${origin.partId} is not known: it has what this configuration names, and does not say which part it is.`,
  };
}

/** Not what every machine has by itself, and not what comes of a remote. */
function isConfigured({ api, name }: { readonly api: string; readonly name: string }): boolean {
  return !api.startsWith('rdk-internal:') && name !== 'builtin' && !name.includes(':');
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => `“${name}”`);
  const rest = names.length - shown.length;
  return listed.format(rest > 0 ? [...shown, `${rest} more`] : shown);
}
