import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { createApiKey, replaceSecrets, webCryptoSecrets } from '../../data-service/face/access.ts';
import type { Actor, ApiKey, PeopleStore } from '../../data-service/face/accounts.ts';
import { type DataStore, leftToDelete, notFound } from '../../data-service/face/stores.ts';
import { openSqliteDataStore } from '../../platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { systemClock } from '../../server/start-data-host.ts';
import { storedAmounts, type StoredAmount } from '../../server/storage/stored-amounts.ts';
import { openAdministration } from './database-address.ts';
import { requireData } from './require-data.ts';
import type { Terminal } from '../shared/run-frames.ts';
import { warnOfReaders } from './warn-of-readers.ts';
import { UsageError } from '../record/usage-error.ts';
import type {
  AuditArguments,
  KeysArguments,
  ManageArguments,
  OrgsArguments,
  PartsArguments,
  PeopleArguments,
} from './data-records.ts';

export const ids = { next: () => randomUUID() };

/**
 * Runs `sightglass orgs`, `parts`, `keys` and `secrets`: lists and changes who may use a data folder, or a database that many hosts
 * serve. A server that runs on it sees the change at once.
 * @param command parsed arguments
 * @param terminal receives one object a line
 * @returns exit code: 0
 * @throws CliError not-found
 * @example
 * await manage({ name: 'keys', verb: 'list', dataDir: '/missing', database: null }, { print() {}, say() {} }); // throws: There is no data of Sightglass in "/missing"
 */
export const manage = (command: ManageArguments, terminal: Terminal): Promise<number> =>
  answerManaged(command, terminal, answer);

/** Opens what a command looks after, prints its answer, one object a line, and closes it. @returns exit code: 0 */
export async function answerManaged<Command extends ManageArguments | PeopleArguments>(
  command: Command,
  { print, say }: Terminal,
  answer: (command: Command, store: Managed) => Promise<readonly object[]>,
): Promise<number> {
  const store = await openManaged(command, say);
  try {
    for (const line of await answer(command, store)) print(line);
    return 0;
  } finally {
    await store.close();
  }
}

/** What these commands look after. */
export type Managed = Pick<DataStore, 'access' | 'audit' | 'usage' | 'deletions'> & { readonly people: PeopleStore };

/** Whom the audit names: the user of the operating system, where it has a name for them. */
export function terminalActor(): Actor {
  let id = '';
  try {
    id = userInfo().username;
  } catch {
    // a container may run as a number without a name
  }
  return { kind: 'terminal', id, name: '' };
}

/** Opens what is looked after, to be changed by whoever is at the terminal. */
export async function openManaged(
  command: ManageArguments | AuditArguments | PeopleArguments,
  say: Terminal['say'],
): Promise<Managed & { close(): Promise<void> }> {
  if (command.database !== null) return openAdministration(command.database, terminalActor());
  // only a first organization may begin one
  if (!(command.name === 'orgs' && command.verb === 'create'))
    requireData(command.dataDir, 'give the folder by --data, or begin one: sightglass serve.');
  await warnOfReaders(command.dataDir, say);
  const store = await openSqliteDataStore(command.dataDir, systemClock);
  const { access, people } = store.as(terminalActor());
  return { ...store, access, people };
}

function answer(command: ManageArguments, store: Managed): Promise<readonly object[]> {
  switch (command.name) {
    case 'orgs':
      return answerOrganizations(command, store);
    case 'parts':
      return answerParts(command, store);
    case 'keys':
      return answerKeys(command, store);
    case 'secrets':
      return answerSecrets(store);
  }
}

async function answerOrganizations(command: OrgsArguments, store: Managed): Promise<readonly object[]> {
  const { access } = store;
  switch (command.verb) {
    case 'list': {
      const stored = await storedAmounts(store);
      return Promise.all(
        stored.map(async ({ organization: { id, name }, ...amounts }) => ({
          organization: id,
          name,
          ...describeAmounts(amounts),
          ...(await describeDeletions(store, id)),
          locations: (await access.listLocations(id)).map((location) => ({
            location: location.id,
            name: location.name,
          })),
        })),
      );
    }
    case 'create': {
      const [organization, location] = [ids.next(), ids.next()];
      await access.createOrganization({ id: organization, name: command.title, timeCreated: systemClock.now() });
      await access.createLocation({ id: location, organizationId: organization, name: 'First location' });
      return [{ organization, name: command.title, locations: [{ location, name: 'First location' }] }];
    }
    case 'rename':
      await access.renameOrganization(command.id, command.title);
      return [{ organization: command.id, name: command.title }];
    case 'add-location': {
      const location = ids.next();
      await access.createLocation({ id: location, organizationId: command.id, name: command.title });
      return [{ organization: command.id, location, name: command.title }];
    }
    case 'quota': {
      await access.setQuota(command.id, command.quotaBytes);
      const amounts = (await storedAmounts(store)).find(({ organization }) => organization.id === command.id)!;
      return [{ organization: command.id, name: amounts.organization.name, ...describeAmounts(amounts) }];
    }
  }
}

const describeAmounts = ({ files, readings, labelling, quotaBytes }: Omit<StoredAmount, 'organization'>) => ({
  files: files.count,
  fileBytes: files.totalSizeBytes,
  readings: readings.count,
  readingBytes: readings.totalSizeBytes,
  labellingBytes: labelling.totalSizeBytes,
  quotaBytes,
});

/** The deletions that an organization has under way; {}: none. */
async function describeDeletions({ deletions }: Managed, organizationId: string): Promise<object> {
  const { files, readings } = await leftToDelete(deletions, organizationId);
  return { ...(files > 0 && { filesToDelete: files }), ...(readings > 0 && { readingsToDelete: readings }) };
}

async function answerParts(command: PartsArguments, { access }: Managed): Promise<readonly object[]> {
  switch (command.verb) {
    case 'list': {
      const parts = await access.listParts(await organizationFor(command.organizationId, access));
      return parts.map(({ id, name, robotName, locationId }) => ({
        part: id,
        name,
        machine: robotName,
        location: locationId,
      }));
    }
    case 'create': {
      const organizationId = await organizationFor(command.organizationId, access);
      const locationId = command.locationId ?? (await onlyLocation(organizationId, access));
      const { title: name, robotName } = command;
      const machine = (await access.listParts(organizationId)).find(
        (other) => other.locationId === locationId && other.robotName === robotName,
      );
      const [part, robotId] = [ids.next(), machine?.robotId ?? ids.next()];
      await access.createPart({ id: part, name, robotId, robotName, organizationId, locationId });
      return [{ part, name, machine: robotName, organization: organizationId, location: locationId }];
    }
    case 'delete':
      await access.deletePart(command.id);
      return [{ part: command.id, deleted: true }];
  }
}

async function answerKeys(command: KeysArguments, store: Managed): Promise<readonly object[]> {
  const { access } = store;
  switch (command.verb) {
    case 'list':
      return (await access.listKeys(await organizationFor(command.organizationId, access))).map(describeKey);
    case 'create': {
      const organizationId = await organizationFor(command.organizationId, access);
      const { title: name, locationId, partId, role } = command;
      const dependencies = { store, ids, clock: systemClock, secrets: webCryptoSecrets(crypto) };
      const { key, secret } = await createApiKey(dependencies, { organizationId, locationId, partId, role, name });
      return [{ ...describeKey(key), secret }];
    }
    case 'revoke':
      await access.deleteKey(command.id);
      return [{ key: command.id, deleted: true }];
  }
}

/** Keys and the passwords of databases stay; what was signed for their holders does not. */
async function answerSecrets(store: Managed): Promise<readonly object[]> {
  await replaceSecrets({ store, secrets: webCryptoSecrets(crypto) });
  return [{ replaced: ['access tokens', 'signed URLs'] }];
}

const describeKey = ({ id, name, role, organizationId, locationId, partId }: ApiKey) => ({
  key: id,
  name,
  role,
  organization: organizationId,
  location: locationId,
  part: partId,
});

/** @throws StoreError not-found, UsageError where there is not just one */
export async function organizationFor(given: string | null, access: DataStore['access']): Promise<string> {
  if (given !== null) {
    if ((await access.getOrganization(given)) === null) throw notFound('organization', given);
    return given;
  }
  const [only, ...others] = await access.listOrganizations();
  if (!only) throw new UsageError('There is no organization yet: sightglass orgs create NAME.');
  if (others.length > 0) throw new UsageError('There are several organizations: say which by --org ID.');
  return only.id;
}

async function onlyLocation(organizationId: string, access: DataStore['access']): Promise<string> {
  const [only, ...others] = await access.listLocations(organizationId);
  if (!only) throw new UsageError('The organization has no location yet: sightglass orgs add-location ID NAME.');
  if (others.length > 0) throw new UsageError('The organization has several locations: say which by --location ID.');
  return only.id;
}
