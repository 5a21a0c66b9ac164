import {
  actorKey,
  type ApiKey,
  type AuditRow,
  type DatabaseUser,
  type Invitation,
  type Location,
  type Membership,
  type Organization,
  type Part,
  type Passkey,
  type Person,
  type Session,
} from '../../../data-service/face/accounts.ts';
import type {
  Dataset,
  Deletion,
  LabelComment,
  LabelScheme,
  Pipeline,
  SavedQuery,
} from '../../../data-service/face/stores.ts';
import type { Micros, Sequence, UploadReceipt } from '../../../data-service/face/captures.ts';
import { identityOf } from '../person-identity.ts';
import type { Table } from '../tables.ts';

// What installed databases have, by the schemas of the engines: another field or index needs a migration in each.

/** A page of any filter is a range of one of the indexes, read from its end. */
export const auditRows: Table<AuditRow, 'organizationId' | 'time' | 'id' | 'actor' | 'what' | 'objectId'> = {
  name: 'audit_rows',
  key: ['organizationId', 'time', 'id'],
  fieldsOf: ({ organizationId, time, id, actor, what, objectId }) => ({
    organizationId,
    time,
    id,
    actor: actorKey(actor),
    what,
    objectId,
  }),
  indexes: {
    actor: ['organizationId', 'actor', 'time', 'id'],
    what: ['organizationId', 'what', 'time', 'id'],
    actor_what: ['organizationId', 'actor', 'what', 'time', 'id'],
    object_id: ['organizationId', 'objectId', 'time', 'id'],
  },
};

export const datasets: Table<Dataset, 'organizationId' | 'id' | 'name'> = {
  name: 'datasets',
  key: ['organizationId', 'id'],
  fieldsOf: ({ organizationId, id, name }) => ({ organizationId, id, name }),
  indexes: { name: ['organizationId', 'name'] },
};

export const deletions: Table<Deletion, 'organizationId' | 'id' | 'timeStarted'> = {
  name: 'deletions',
  key: ['organizationId', 'id'],
  fieldsOf: ({ organizationId, id, timeStarted }) => ({ organizationId, id, timeStarted }),
};

export const labelComments: Table<LabelComment, 'organizationId' | 'id' | 'binaryDataId' | 'timeCreated'> = {
  name: 'label_comments',
  key: ['organizationId', 'id'],
  fieldsOf: ({ organizationId, id, binaryDataId, timeCreated }) => ({ organizationId, id, binaryDataId, timeCreated }),
  indexes: { binary_data_id: ['organizationId', 'binaryDataId', 'timeCreated', 'id'] },
};

/** One a dataset. */
export const labelSchemes: Table<LabelScheme, 'organizationId' | 'datasetId'> = {
  name: 'label_schemes',
  key: ['organizationId', 'datasetId'],
  fieldsOf: ({ organizationId, datasetId }) => ({ organizationId, datasetId }),
};

export const pipelines: Table<Pipeline, 'organizationId' | 'id' | 'name' | 'enabled'> = {
  name: 'pipelines',
  key: ['organizationId', 'id'],
  fieldsOf: ({ organizationId, id, name, enabled }) => ({ organizationId, id, name, enabled: Number(enabled) }),
  indexes: { name: ['organizationId', 'name'] },
};

export const receipts: Table<UploadReceipt, 'organizationId' | 'uploadId' | 'timeSynced'> = {
  name: 'receipts',
  key: ['organizationId', 'uploadId'],
  fieldsOf: ({ organizationId, uploadId, timeSynced }) => ({ organizationId, uploadId, timeSynced }),
  indexes: { time: ['timeSynced'] },
};

export const savedQueries: Table<SavedQuery, 'organizationId' | 'id' | 'name' | 'timeCreated'> = {
  name: 'saved_queries',
  key: ['organizationId', 'id'],
  fieldsOf: ({ organizationId, id, name, timeCreated }) => ({ organizationId, id, name, timeCreated }),
  indexes: { name: ['organizationId', 'name'], time: ['organizationId', 'timeCreated', 'id'] },
};

export const sequences: Table<Sequence, 'organizationId' | 'id' | 'timeCreated' | 'datasetIds'> = {
  name: 'sequences',
  key: ['organizationId', 'id'],
  fieldsOf: ({ organizationId, id, timeCreated, datasetIds }) => ({ organizationId, id, timeCreated, datasetIds }),
  indexes: {
    time: ['organizationId', 'timeCreated', 'id'],
    members: ['organizationId', 'datasetIds', 'timeCreated', 'id'],
  },
};

export const organizations: Table<Organization, 'id'> = {
  name: 'organizations',
  key: ['id'],
  fieldsOf: ({ id }) => ({ id }),
};

const ofOrganization = { organization: ['organizationId'] };

export const locations: Table<Location, 'organizationId' | 'id'> = {
  name: 'locations',
  key: ['organizationId', 'id'],
  fieldsOf: ({ organizationId, id }) => ({ organizationId, id }),
  indexes: ofOrganization,
};

export const parts: Table<Part, 'organizationId' | 'id' | 'locationId'> = {
  name: 'parts',
  key: ['organizationId', 'id'],
  fieldsOf: ({ organizationId, id, locationId }) => ({ organizationId, id, locationId }),
  indexes: ofOrganization,
};

export const keys: Table<ApiKey, 'organizationId' | 'id'> = {
  name: 'keys',
  key: ['organizationId', 'id'],
  fieldsOf: ({ organizationId, id }) => ({ organizationId, id }),
  indexes: ofOrganization,
};

/** One an organization. */
export const databaseUsers: Table<DatabaseUser, 'organizationId'> = {
  name: 'database_users',
  key: ['organizationId'],
  fieldsOf: ({ organizationId }) => ({ organizationId }),
};

/** Renewals of tokens, of the whole installation, as secrets are. */
export const tokenRenewals: Table<{ readonly token: string; readonly until: Micros }, 'token' | 'until'> = {
  name: 'token_renewals',
  key: ['token'],
  fieldsOf: ({ token, until }) => ({ token, until }),
  indexes: { end: ['until'] },
  value: 'until',
};

export const installationSecrets: Table<{ readonly name: string; readonly secret: Uint8Array }, 'name' | 'secret'> = {
  name: 'installation_secrets',
  key: ['name'],
  fieldsOf: ({ name, secret }) => ({ name, secret }),
  value: 'secret',
};

// Who may log in and who is logged in is of the whole installation.

export const people: Table<Person, 'id' | 'identity'> = {
  name: 'people',
  key: ['id'],
  fieldsOf: (person) => ({ id: person.id, identity: identityOf(person) }),
};

export const members: Table<Membership, 'id' | 'personId' | 'organizationId'> = {
  name: 'members',
  key: ['id'],
  fieldsOf: ({ id, personId, organizationId }) => ({ id, personId, organizationId }),
};

export const passkeys: Table<Passkey, 'id' | 'personId'> = {
  name: 'passkeys',
  key: ['id'],
  fieldsOf: ({ id, personId }) => ({ id, personId }),
};

export const invitations: Table<Invitation, 'id' | 'tokenHash' | 'organizationId' | 'email' | 'expires'> = {
  name: 'invitations',
  key: ['id'],
  fieldsOf: ({ id, tokenHash, organizationId, email, expires }) => ({ id, tokenHash, organizationId, email, expires }),
};

export const sessions: Table<Session, 'id' | 'personId' | 'membershipId' | 'until'> = {
  name: 'sessions',
  key: ['id'],
  fieldsOf: ({ id, personId, membershipId, until }) => ({ id, personId, membershipId, until }),
};
