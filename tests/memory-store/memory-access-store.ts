import type { AccessStore } from '../../src/data-service/ports/access-store.ts';
import { required, type Tables } from './tables.ts';
import { byName } from '../../src/data-service/ports/name-order.ts';
import { withQuota } from '../../src/data-service/ports/usage-store.ts';
import { alreadyExists, notFound } from '../../src/data-service/ports/store-refusals.ts';

export function memoryAccessStore(tables: Tables): AccessStore {
  const create = <Entry extends { readonly id: string }>(
    table: Map<string, Entry>,
    thing: string,
    entry: Entry,
  ): void => {
    if (table.has(entry.id)) throw alreadyExists(thing, entry.id);
    table.set(entry.id, entry);
  };
  const remove = (table: Map<string, unknown>, thing: string, id: string): void => {
    if (!table.delete(id)) throw notFound(thing, id);
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
      tables.organizations.set(id, { ...required(tables.organizations, 'organization', id), name });
    },
    async setQuota(id, quotaBytes) {
      tables.organizations.set(id, withQuota(required(tables.organizations, 'organization', id), quotaBytes));
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
      for (const [id, end] of tables.tokenRenewals) if (end <= now) tables.tokenRenewals.delete(id);
    },
    async putDatabaseUser(user) {
      tables.databaseUsers.set(user.organizationId, user);
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
    },
  };
}
