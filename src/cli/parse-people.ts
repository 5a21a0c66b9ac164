import { requireEmail, requireName } from '../data-service/people/person-fields.ts';
import type { Place } from '../data-service/ports/access-store.ts';
import { filled, parseOptions, type OptionValues } from './parse-options.ts';
import { dataDir, origin, role } from './parse-serve.ts';
import { parseDatabase } from './parse-shared.ts';
import type { PeopleArguments } from './serve-arguments.ts';
import { UsageError } from './usage.ts';

const optionsOf = {
  list: ['org'],
  invite: ['org', 'email', 'role', 'location', 'part', 'origin'],
  change: ['role', 'location', 'part'],
  remove: [],
} as const satisfies Record<PeopleArguments['verb'], readonly string[]>;

const isVerb = (text: string | undefined): text is PeopleArguments['verb'] => text !== undefined && text in optionsOf;

/** What --location says for the whole organization. */
const allLocations = 'all';

/** @throws UsageError */
export function parsePeople(args: readonly string[]): PeopleArguments {
  const [verb, ...rest] = args;
  if (!isVerb(verb)) throw new UsageError(`people wants list, invite, change or remove, got "${verb ?? ''}".`);
  const { values, positionals } = parseOptions(rest, ['data', 'database', ...optionsOf[verb]], []);
  const wanted = { list: null, invite: 'NAME', change: 'ID', remove: 'ID' }[verb];
  const [word = ''] = positionals;
  if (positionals.length !== (wanted === null ? 0 : 1) || (wanted !== null && word.trim() === ''))
    throw new UsageError(`people ${verb} wants ${wanted ?? 'no more words'}.`);
  const common = { name: 'people' as const, dataDir: dataDir(values), database: parseDatabase(values, process.env) };
  switch (verb) {
    case 'list':
      return { ...common, verb, organizationId: filled('org', values) };
    case 'invite':
      return {
        ...common,
        verb,
        organizationId: filled('org', values),
        person: inWords(() => requireName(word)),
        email: inWords(() => requireEmail(filled('email', values) ?? '')),
        powers: { role: role(values, 'annotator'), ...(placeOf(values) ?? { locationId: null, partId: null }) },
        origin: origin('origin', values),
      };
    case 'change': {
      const change = { role: values.one('role') === null ? null : role(values, 'annotator'), place: placeOf(values) };
      if (change.role === null && change.place === null)
        throw new UsageError(`people change wants --role, --location or --part.`);
      return { ...common, verb, id: word, ...change };
    }
    case 'remove':
      return { ...common, verb, id: word };
  }
}

/** null: it was not given. Without --part it is all parts of the location. */
function placeOf(values: OptionValues): Place | null {
  const [locationId, partId] = [filled('location', values), filled('part', values)];
  if (locationId === null && partId === null) return null;
  return { locationId: locationId === allLocations ? null : locationId, partId };
}

/** What `read` returns. @throws UsageError where it refuses a field */
function inWords(read: () => string): string {
  try {
    return read();
  } catch (error) {
    // the message without the code of the call in front, which is for clients of the service
    if (error instanceof Error && 'rawMessage' in error)
      throw new UsageError(`people invite: ${String(error.rawMessage)}`, { cause: error });
    throw error;
  }
}
