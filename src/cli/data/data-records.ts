import {
  type Actor,
  changedThings,
  type Place,
  requireEmail,
  requireName,
  roles,
} from '../../data-service/face/accounts.ts';
import { parseByteSize } from '../../server/storage/byte-size.ts';
import { command, verb, verbs, type ArgumentsOf } from '../record/command.ts';
import { made, option, together, usual, word, type Field } from '../record/field.ts';
import { byteSize, kind, oneOf, origin } from '../record/kinds.ts';
import { timeSpan } from './time-span.ts';
import { UsageError } from '../record/usage-error.ts';
import { database, dataDir, sharedPlace } from './shared-place.ts';

/** A folder of data, or the database in its place. */
const place = { dataDir, database };
const organizationId = option('--org ID', 'the organization; it may be left out where there is one');
const locationId = option('--location ID', 'its location; it may be left out where there is one');
const partId = option('--part ID', 'what that part captured is reached, and nothing else');
const role = oneOf(roles, `one of ${roles.join(', ')}`);
const roleForm = '--role ROLE';
const rolesText = 'annotator, reviewer, operator or owner';

const quota = (size: string): number | null => {
  const bytes = size === 'none' ? null : parseByteSize(size);
  if (bytes === null && size !== 'none')
    throw new UsageError(`orgs quota wants a size, as 20GB or 1.5TB, or none; got "${size}".`);
  return bytes;
};

export const orgsRecord = verbs('orgs', {
  usage: ['list | create NAME | rename ID NAME | add-location ID NAME | quota ID SIZE|none   [--data DIR]'],
  notes: ['orgs quota ID 20GB bounds the files and readings of one organization; orgs list says what each stores.'],
  verbs: {
    list: verb({}, place),
    create: verb({ title: 'NAME' }, place),
    rename: verb({ id: 'ID', title: 'NAME' }, place),
    'add-location': verb({ id: 'ID', title: 'NAME' }, place),
    quota: made(verb({ id: 'ID', size: 'SIZE' }, place), ({ size, ...rest }) => ({ ...rest, quotaBytes: quota(size) })),
  },
});

export const partsRecord = verbs('parts', {
  usage: ['list | create NAME [--location ID] [--machine NAME] | delete ID   [--org ID] [--data DIR]'],
  verbs: {
    list: verb({}, { ...place, organizationId }),
    create: made(
      verb(
        { title: 'NAME' },
        {
          ...place,
          organizationId,
          locationId,
          machine: option('--machine NAME', 'the machine that it is a part of (NAME)'),
        },
      ),
      ({ machine, ...rest }) => ({ ...rest, robotName: machine ?? rest.title }),
    ),
    delete: verb({ id: 'ID' }, { ...place, organizationId }),
  },
});

export const keysRecord = verbs('keys', {
  usage: ['list | create NAME [--location ID | --part ID] [--role ROLE] | revoke ID   [--org ID] [--data DIR]'],
  verbs: {
    list: verb({}, { ...place, organizationId }),
    create: verb(
      { title: 'NAME' },
      {
        ...place,
        organizationId,
        locationId: option('--location ID', 'what that location holds is reached, and nothing else'),
        partId,
        role: usual(roleForm, rolesText, role, 'operator'),
      },
    ),
    revoke: verb({ id: 'ID' }, { ...place, organizationId }),
  },
});

export const secretsRecord = verbs('secrets', {
  usage: ['rotate   [--data DIR]'],
  notes: [
    'secrets rotate replaces the secrets that sign access tokens and URLs: within ten seconds none given out before is good, and clients authenticate again with their keys, which stay.',
  ],
  verbs: { rotate: verb({}, place) },
});

/** What --location says for the whole organization. */
const allLocations = 'all';

/** Where a person may work; null: it was not given. Without --part it is all parts of the location. */
const placeOfPerson: Field<Place | null> = together(
  {
    locationId: option('--location ID', 'what that location holds is reached, and nothing else; all: everything'),
    partId,
  },
  ({ locationId: location, partId: part }) =>
    location === null && part === null
      ? null
      : { locationId: location === allLocations ? null : location, partId: part },
);

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

export const peopleRecord = verbs('people', {
  usage: [
    'list | invite NAME [--email E] [--role ROLE] [--location ID | --part ID] [--origin https://…] | change ID [--role ROLE] [--location ID|all | --part ID] | remove ID   [--org ID] [--data DIR]',
  ],
  notes: [
    'people invite prints a link by which one person joins within a week; without --origin it prints the token of the link ORIGIN/#/invitation/TOKEN.',
  ],
  verbs: {
    list: verb({}, { ...place, organizationId }),
    invite: made(
      verb(
        { person: 'NAME' },
        {
          ...place,
          organizationId,
          email: option('--email E', 'their e-mail address'),
          role: usual(roleForm, rolesText, role, 'annotator'),
          works: placeOfPerson,
          origin: option('--origin URL', 'of the server, for the link', origin),
        },
      ),
      ({ person, email, role: given, works, ...rest }) => ({
        ...rest,
        person: inWords(() => requireName(person)),
        email: inWords(() => requireEmail(email ?? '')),
        powers: { role: given, ...(works ?? { locationId: null, partId: null }) },
      }),
    ),
    change: made(
      verb({ id: 'ID' }, { ...place, role: option(roleForm, rolesText, role), place: placeOfPerson }),
      (change) => {
        if (change.role === null && change.place === null)
          throw new UsageError(`people change wants --role, --location or --part.`);
        return change;
      },
    ),
    remove: verb({ id: 'ID' }, place),
  },
});

/** "key:ID", or a kind that has no ids, as "service"; a terminal may have none, where its user has no name. */
const actor = kind<Pick<Actor, 'kind' | 'id'>>('person:ID, key:ID, terminal:USER, browser or service', (value) => {
  const [, named, id] =
    /^(?:(person|key|terminal):(.+)|(terminal|browser|service))$/s.exec(value)?.filter(Boolean) ?? [];
  return named === undefined ? undefined : { kind: named as Actor['kind'], id: id ?? '' };
});
const changedThing = oneOf(changedThings, `one of ${changedThings.join(', ')}`);
const micros = (ms: number | null): number | null => (ms === null ? null : ms * 1000);

export const auditRecord = command('audit', {
  usage: ['[--who person:ID|key:ID|…] [--what KIND] [--object ID] [--from TIME] [--to TIME] [--org ID] [--data DIR]'],
  notes: [
    'audit prints who changed what, the newest first, one change a line; it is kept forever unless serve --keep audit=5y says otherwise.',
  ],
  reads: together(
    {
      ...place,
      organizationId,
      actor: option('--who WHO', 'changes of person:ID, key:ID, terminal:USER, browser or service', actor),
      what: option('--what KIND', `changes of ${changedThings.join(', ')}`, changedThing),
      objectId: option('--object ID', 'changes of one thing'),
      ...timeSpan,
    },
    ({ actor: who, what, objectId, startMs, endMs, ...rest }) => ({
      ...rest,
      filter: {
        each: true as const,
        actor: who,
        what: what ?? ('' as const),
        objectId: objectId ?? '',
        interval: { start: micros(startMs), end: micros(endMs) },
      },
    }),
  ),
});

export const clockRecord = verbs('clock', {
  usage: ['confirm   [--data DIR]'],
  notes: ['clock confirm says that the clock is right after it went on by more than a day at once.'],
  verbs: { confirm: verb({}, place) },
});

export const healthRecord = command('health', {
  usage: ['[--data DIR]'],
  notes: ['health asks the server of a data folder whether it is alive, wherever it listens; exit code 0 when it is.'],
  reads: together({ dataDir }),
});

const backupNote =
  'backup copies a data folder into a new one, also while a server writes to it; restore makes a new data folder of that copy, whose every byte it checks first.';

const ownTools = 'are backed up by their own tools, the database first: docs/operations.md has the commands.';

const folderOfBackup = <const Name extends 'backup' | 'restore'>(name: Name) =>
  command(name, {
    usage: ['DIR [--data DIR]'],
    notes: [backupNote],
    reads: together(
      {
        backupDir: word('DIR, the folder of the backup'),
        dataDir,
        database: option('--database URL', ownTools),
        blobs: option('--blobs URL', ownTools),
      },
      ({ backupDir, dataDir: folder, database: url, blobs }) => {
        if (url === null && blobs === null) return { backupDir, dataDir: folder };
        throw new UsageError(`${name} is about folders. A database and a bucket ${ownTools}`);
      },
    ),
  });
export const backupRecord = folderOfBackup('backup');
export const restoreRecord = folderOfBackup('restore');

export const moveRecord = command('move', {
  usage: ['--from-data DIR | --to-data DIR   --database postgres://USER@HOST/NAME --blobs s3://BUCKET/PREFIX[?…]'],
  notes: [
    'move copies a whole installation from a folder that nobody serves into an empty database and bucket, or from those into a new folder, and compares both in the end: a line for each collection, with its digest, and for each difference; exit code 1 when there is one. A move that was interrupted goes on when it is run again; what is not whole is not served.',
  ],
  reads: together(
    {
      from: option('--from-data DIR', 'the folder that is copied into the database and the bucket'),
      to: option('--to-data DIR', 'a new folder that they are copied into'),
      shared: sharedPlace,
    },
    ({ from, to, shared }) => {
      const folder = from ?? to;
      if (folder === null || (from !== null && to !== null))
        throw new UsageError(
          `move wants either --from-data DIR, the folder that is copied into the database and the bucket, or --to-data DIR, a new folder that they are copied into.`,
        );
      if (shared === null) throw new UsageError(`move wants --database and --blobs beside the folder.`);
      return { from: from === null ? ('shared' as const) : ('folder' as const), dataDir: folder, shared };
    },
  ),
});

export const checkStoreRecord = command('check', {
  usage: ['[--data DIR | --database postgres://… --blobs s3://…] [--check-rate 20MB]'],
  notes: [
    'check compares the bytes of every file of a data folder, or of a database and a bucket, with what was stored, and checks the database of a folder, also while servers run: a line for each file that is lost or damaged, and for each blob without a file; exit code 1 when a file is damaged.',
  ],
  reads: together({
    dataDir,
    shared: sharedPlace,
    bytesPerSecond: made(
      option('--check-rate SIZE', 'how many bytes it reads a second, as 20MB; otherwise as fast as it goes', byteSize),
      (bytes) => {
        if (bytes === 0) throw new UsageError('--check-rate wants more than 0, as 20MB: check reads every byte.');
        return bytes;
      },
    ),
  }),
});
export type CheckStoreArguments = ArgumentsOf<typeof checkStoreRecord>;

/** What the commands that look after a folder of data, or a database in its place, are asked for. */
export type ManageArguments = OrgsArguments | PartsArguments | KeysArguments | SecretsArguments;
export type OrgsArguments = ArgumentsOf<typeof orgsRecord>;
export type PartsArguments = ArgumentsOf<typeof partsRecord>;
export type KeysArguments = ArgumentsOf<typeof keysRecord>;
type SecretsArguments = ArgumentsOf<typeof secretsRecord>;
export type PeopleArguments = ArgumentsOf<typeof peopleRecord>;
export type AuditArguments = ArgumentsOf<typeof auditRecord>;
export type ClockArguments = ArgumentsOf<typeof clockRecord>;
export type HealthArguments = ArgumentsOf<typeof healthRecord>;
export type BackupArguments = ArgumentsOf<typeof backupRecord> | ArgumentsOf<typeof restoreRecord>;
export type MoveArguments = ArgumentsOf<typeof moveRecord>;
