import {
  changedThings,
  isChangedThing,
  type Actor,
  type AuditFilter,
  type ChangedThing,
} from '../data-service/ports/audit-store.ts';
import type { Micros } from '../data-service/ports/stored-captures.ts';
import { filled, parseOptions, timeMs, type OptionValues } from './parse-options.ts';
import { parseDatabase } from './parse-shared.ts';
import { dataDir } from './parse-serve.ts';
import type { AuditArguments } from './serve-arguments.ts';
import { UsageError } from './usage.ts';

const options = ['org', 'who', 'what', 'object', 'from', 'to', 'data', 'database'];

/** @throws UsageError */
export function parseAudit(args: readonly string[]): AuditArguments {
  const { values, positionals } = parseOptions(args, options, []);
  if (positionals.length > 0) throw new UsageError(`audit wants no "${positionals[0]}".`);
  return {
    name: 'audit',
    dataDir: dataDir(values),
    database: parseDatabase(values, process.env),
    organizationId: filled('org', values),
    filter: {
      each: true,
      actor: who(values),
      what: what(values),
      objectId: filled('object', values) ?? '',
      interval: { start: micros('from', values), end: micros('to', values) },
    } satisfies Omit<AuditFilter, 'organizationId'>,
  };
}

/** "key:ID", or a kind that has no ids, as "service"; a terminal may have none, where its user has no name. */
function who(values: OptionValues): Pick<Actor, 'kind' | 'id'> | null {
  const text = filled('who', values);
  if (text === null) return null;
  const [, kind, id] = /^(?:(person|key|terminal):(.+)|(terminal|browser|service))$/s.exec(text)?.filter(Boolean) ?? [];
  if (kind !== undefined) return { kind, id: id ?? '' };
  throw new UsageError(`--who wants person:ID, key:ID, terminal:USER, browser or service, got "${text}".`);
}

function what(values: OptionValues): ChangedThing | '' {
  const text = filled('what', values);
  if (text === null) return '';
  if (isChangedThing(text)) return text;
  throw new UsageError(`--what wants one of ${changedThings.join(', ')}, got "${text}".`);
}

function micros(option: string, values: OptionValues): Micros | null {
  const ms = timeMs(option, values);
  return ms === null ? null : ms * 1000;
}
