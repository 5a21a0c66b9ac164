import type { AccessStore, Organization } from '../../src/data-service/ports/access-store.ts';
import {
  changesOf,
  changesOfDatabaseUser,
  changesOfRefusedLogIns,
  changesOfSecret,
  type AccessKind,
  type ChangedEntries,
} from '../../src/data-service/ports/describe-changes.ts';
import { required, type KeepChanges, type Tables } from './tables.ts';
import { byName } from '../../src/data-service/ports/name-order.ts';
import type { Micros } from '../../src/data-service/ports/stored-captures.ts';
import { withQuota } from '../../src/data-service/ports/usage-store.ts';
import { alreadyExists, notFound } from '../../src/data-service/ports/store-refusals.ts';

export function memoryAccessStore(tables: Tables, keep: KeepChanges): AccessStore {
  const forgetOutdated = (now: Micros): void => {
    for (const [id, end] of tables.tokenRenewals) if (end <= now) tables.tokenRenewals.delete(id);
  };
  const create = <Kind extends AccessKind>(
    table: Map<string, ChangedEntries[Kind]>,
    kind: Kind,
    entry: ChangedEntries[Kind],
  ): void => {
    if (table.has(entry.id)) throw alreadyExists(kind, entry.id);
    table.set(entry.id, entry);
    keep(changesOf(kind, null, entry));
  };
  const remove = <Kind extends AccessKind>(table: Map<string, ChangedEntries[Kind]>, kind: Kind, id: string): void => {
    keep(changesOf(kind, required(table, kind, id), null));
    table.delete(id);
  };
  const changeOrganization = (id: string, change: (organization: Organization) => Organization): void => {
    const organization = required(tables.organizations, 'organization', id);
    const changed = change(organization);
    tables.organizations.set(id, changed);
    keep(changesOf('organization', organization, changed));
  };
  const listOf = <Entry extends { readonly organizationId: string; readonly name: string; readonly id: string }>(
    table: ReadonlyMap<string, Entry>,
    organizationId: string,
  ): Entry[] => [...table.values()].filter((entry) => entry.organizationId === organizationId).sort(byName);

  return {
    async createOrganization(organization) {
      create(tables.organizations, 'organization', organization);
    },
    async getOrganization(id) {
      return tables.organizations.get(id) ?? null;
    },
    async listOrganizations() {
      return [...tables.organizations.values()].sort(byName);
    },
    async renameOrganization(id, name) {
      changeOrganization(id, (organization) => ({ ...organization, name }));
    },
    async setQuota(id, quotaBytes) {
      changeOrganization(id, (organization) => withQuota(organization, quotaBytes));
    },
    async noteRefusedLogIns(refused) {
      keep(changesOfRefusedLogIns(refused));
    },
    async createLocation(location) {
      required(tables.organizations, 'organization', location.organizationId);
      create(tables.locations, 'location', location);
    },
    async getLocation(id) {
      return tables.locations.get(id) ?? null;
    },
    async listLocations(organizationId) {
      return listOf(tables.locations, organizationId);
    },
    async createPart(part) {
      const location = required(tables.locations, 'location', part.locationId);
      if (location.organizationId !== part.organizationId) throw notFound('location', part.locationId);
      create(tables.parts, 'part', part);
    },
    async getPart(id) {
      return tables.parts.get(id) ?? null;
    },
    async listParts(organizationId) {
      return listOf(tables.parts, organizationId);
    },
    async deletePart(id) {
      remove(tables.parts, 'part', id);
    },
    async createKey(key) {
      required(tables.organizations, 'organization', key.organizationId);
      create(tables.keys, 'key', key);
    },
    async getKey(id) {
      return tables.keys.get(id) ?? null;
    },
    async listKeys(organizationId) {
      return listOf(tables.keys, organizationId);
    },
    async deleteKey(id) {
      remove(tables.keys, 'key', id);
    },
    async tokenRenewal(tokenId) {
      return tables.tokenRenewals.get(tokenId) ?? null;
    },
    async renewToken(tokenId, until, now) {
      tables.tokenRenewals.set(tokenId, Math.max(until, tables.tokenRenewals.get(tokenId) ?? -Infinity));
      forgetOutdated(now);
    },
    async useOnce(tokenId, until, now) {
      forgetOutdated(now);
      if (tables.tokenRenewals.has(tokenId)) return false;
      tables.tokenRenewals.set(tokenId, until);
      return true;
    },
    async putDatabaseUser(user) {
      const former = tables.databaseUsers.get(user.organizationId) ?? null;
      tables.databaseUsers.set(user.organizationId, user);
      keep(changesOfDatabaseUser(former, user));
    },
    async getDatabaseUser(organizationId) {
      return tables.databaseUsers.get(organizationId) ?? null;
    },
    async installationSecret(name, candidate) {
      const kept = tables.installationSecrets.get(name) ?? candidate;
      tables.installationSecrets.set(name, kept);
      return kept;
    },
    async replaceInstallationSecret(name, secret) {
      tables.installationSecrets.set(name, secret);
      keep(changesOfSecret(name, [...tables.organizations.keys()]));
    },
  };
}
