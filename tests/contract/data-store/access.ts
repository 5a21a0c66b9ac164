import { describe, expect, it } from 'vitest';
import type { ApiKey, Part } from '../../../src/data-service/ports/access-store.ts';
import type { Subject } from './store-under-test.ts';

export function describeAccess(subject: Subject): void {
  const access = () => subject().store.access;
  const organization = (id: string, name = id) => ({ id, name, timeCreated: 1 });
  const part = (id: string, changes: Partial<Part> = {}): Part => ({
    id,
    name: `part-${id}`,
    robotId: 'r',
    robotName: 'rover',
    organizationId: 'org',
    locationId: 'loc',
    ...changes,
  });
  const key = (id: string): ApiKey => ({
    id,
    name: 'key',
    organizationId: 'org',
    locationId: null,
    partId: null,
    role: 'owner',
    timeCreated: 2,
    secret: { algorithm: 'pbkdf2-sha256', iterations: 9, salt: Uint8Array.of(1, 0), hash: Uint8Array.of(255) },
  });

  describe('access', () => {
    it('knows organizations, by name', async () => {
      await access().createOrganization(organization('1', 'b'));
      await access().createOrganization(organization('2', 'a'));
      await expect(access().createOrganization(organization('1'))).rejects.toMatchObject({
        code: 'already-exists',
        subject: '1',
      });
      expect(await access().listOrganizations()).toEqual([organization('2', 'a'), organization('1', 'b')]);
      await access().renameOrganization('2', 'c');
      expect(await access().getOrganization('2')).toEqual(organization('2', 'c'));
      expect(await access().getOrganization('3')).toBeNull();
      await expect(access().renameOrganization('3', 'x')).rejects.toMatchObject({ code: 'not-found', subject: '3' });
    });

    it('registers locations and parts where they belong', async () => {
      const location = { id: 'loc', organizationId: 'org', name: 'lab' };
      await expect(access().createLocation(location)).rejects.toMatchObject({ code: 'not-found', subject: 'org' });
      await access().createOrganization(organization('org'));
      await access().createOrganization(organization('other'));
      await access().createLocation(location);
      await expect(access().createLocation(location)).rejects.toMatchObject({ code: 'already-exists', subject: 'loc' });
      expect(await access().listLocations('org')).toEqual([location]);
      expect(await access().listLocations('other')).toEqual([]);

      await expect(access().createPart(part('p', { locationId: 'x' }))).rejects.toMatchObject({
        code: 'not-found',
        subject: 'x',
      });
      await expect(access().createPart(part('p', { organizationId: 'other' }))).rejects.toMatchObject({
        code: 'not-found',
      });
      await access().createPart(part('p'));
      await expect(access().createPart(part('p'))).rejects.toMatchObject({ code: 'already-exists', subject: 'p' });
      expect(await access().listParts('org')).toEqual([part('p')]);
      await access().deletePart('p');
      await expect(access().deletePart('p')).rejects.toMatchObject({ code: 'not-found', subject: 'p' });
      expect(await access().getPart('p')).toBeNull();
    });

    it('keeps keys with their hashes until they are deleted', async () => {
      await expect(access().createKey(key('k'))).rejects.toMatchObject({ code: 'not-found', subject: 'org' });
      await access().createOrganization(organization('org'));
      await access().createKey(key('k'));
      await expect(access().createKey(key('k'))).rejects.toMatchObject({ code: 'already-exists', subject: 'k' });
      const ofPart = { ...key('j'), locationId: 'loc', partId: 'p' };
      await access().createKey(ofPart);
      expect(await access().getKey('k')).toEqual(key('k'));
      expect(await access().listKeys('org')).toEqual([ofPart, key('k')]);
      await access().deleteKey('k');
      expect(await access().getKey('k')).toBeNull();
      await expect(access().deleteKey('k')).rejects.toMatchObject({ code: 'not-found', subject: 'k' });
    });

    it('keeps one database user an organization', async () => {
      const user = {
        organizationId: 'org',
        iterations: 5,
        salt: Uint8Array.of(1),
        storedKey: Uint8Array.of(2),
        serverKey: Uint8Array.of(3),
      };
      expect(await access().getDatabaseUser('org')).toBeNull();
      await access().putDatabaseUser(user);
      await access().putDatabaseUser({ ...user, iterations: 6 });
      expect(await access().getDatabaseUser('org')).toEqual({ ...user, iterations: 6 });
    });

    it('knows until when a token was renewed, and forgets it once that is over', async () => {
      expect(await access().tokenRenewal('t')).toBeNull();
      await access().renewToken('t', 100, 0);
      await access().renewToken('other', 50, 0);
      expect(await access().tokenRenewal('t')).toBe(100);
      await access().renewToken('t', 90, 49); // a host whose clock is behind
      expect([await access().tokenRenewal('t'), await access().tokenRenewal('other')]).toEqual([100, 50]);
      await access().renewToken('t', 120, 50);
      expect([await access().tokenRenewal('t'), await access().tokenRenewal('other')]).toEqual([120, null]);
    });

    it('lets a one-time token be used once, however many ask at the same time, and forgets it once it is over', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => access().useOnce('ceremony', 100, 0)));
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await access().useOnce('another', 200, 50)).toBe(true);
      expect(await access().useOnce('ceremony', 100, 99)).toBe(false);
      expect([await access().useOnce('ceremony', 300, 100), await access().useOnce('another', 200, 100)]).toEqual([
        true,
        false,
      ]);
    });

    it('gives all who ask at once the same secret, for good', async () => {
      const candidates = [1, 2, 3].map((byte) => Uint8Array.of(byte));
      const given = await Promise.all(candidates.map((candidate) => access().installationSecret('tokens', candidate)));
      expect(new Set(given.map(String)).size).toBe(1);
      expect(String(await access().installationSecret('tokens', Uint8Array.of(9)))).toBe(String(given[0]));
      expect(await access().installationSecret('urls', Uint8Array.of(7))).toEqual(Uint8Array.of(7));
    });

    it('gives another secret once it is replaced, and only of that name', async () => {
      for (const name of ['tokens', 'urls']) await access().installationSecret(name, Uint8Array.of(1));
      await access().replaceInstallationSecret('tokens', Uint8Array.of(2));
      const [tokens, urls] = await Promise.all(
        ['tokens', 'urls'].map((name) => access().installationSecret(name, Uint8Array.of(9))),
      );
      expect([tokens, urls]).toEqual([Uint8Array.of(2), Uint8Array.of(1)]);
    });
  });
}
