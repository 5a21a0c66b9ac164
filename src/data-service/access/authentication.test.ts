import { SignJWT, UnsecuredJWT, base64url, decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { codeOf, startDataService, startTime, type TestService } from '../../../tests/data-service-fixture.ts';
import { localOwner } from './local-home.ts';
import { createApiKey } from './api-keys.ts';
import { replaceSecrets } from './installation-secret.ts';

let service: TestService;
beforeEach(async () => {
  service = await startDataService();
});

const authenticate = (entity: string, payload: string, type = 'api-key') =>
  service.anonymous.auth.authenticate({ entity, credentials: { type, payload } });
const callWith = (authorization: string | null) => codeOf(service.as(authorization).data.tagsByFilter({}));
const tokenOf = async ({ id, secret }: { id: string; secret: string }) => (await authenticate(id, secret)).accessToken;

/** A token like the service's own, but for what is changed. */
async function forge(
  changes: Readonly<Record<string, unknown>> = {},
  secret?: Uint8Array,
  alg = 'HS256',
): Promise<string> {
  const { access } = service.dependencies.store;
  const signing = secret ?? (await access.installationSecret('access-tokens', new Uint8Array(32)));
  const key = (await access.getKey(service.keys.owner.id))!;
  const claims = { jti: 'forged', key: base64url.encode(key.secret.salt), sub: key.id, exp: startTime / 1e6 + 60 };
  const named = { iss: 'sightglass', aud: 'sightglass-data-service' };
  return new SignJWT({ ...claims, ...named, ...changes }).setProtectedHeader({ alg }).sign(signing);
}

it('refuses a token within ten seconds of new secrets, and takes one that was asked for since', async () => {
  const before = await tokenOf(service.keys.owner);
  expect(await callWith(`Bearer ${before}`)).toBe('ok');
  await replaceSecrets(service.dependencies);
  service.time.now += 10_000_000;
  expect(await callWith(`Bearer ${before}`)).toBe('Unauthenticated');
  expect(await callWith(`Bearer ${await tokenOf(service.keys.owner)}`)).toBe('ok');
});

describe('Authenticate', () => {
  it('gives a token that opens the organization of its key', async () => {
    expect(await callWith(`Bearer ${await tokenOf(service.keys.operator)}`)).toBe('ok');
  });

  it.each([
    [
      'a wrong secret',
      'Unauthenticated',
      (key: TestService['keys']['owner']) => authenticate(key.id, `${key.secret}x`),
    ],
    [
      'the secret of another key',
      'Unauthenticated',
      ({ id }: { id: string }) => authenticate(id, service.keys.operator.secret),
    ],
    ['an unknown key', 'Unauthenticated', ({ secret }: { secret: string }) => authenticate('nobody', secret)],
    ['no secret', 'Unauthenticated', ({ id }: { id: string }) => authenticate(id, '')],
    [
      'another type of credentials',
      'InvalidArgument',
      (key: { id: string; secret: string }) => authenticate(key.id, key.secret, 'robot-location-secret'),
    ],
    [
      'no credentials',
      'InvalidArgument',
      ({ id }: { id: string }) => service.anonymous.auth.authenticate({ entity: id }),
    ],
  ])('refuses %s', async (_, code, call) => {
    expect(await codeOf(call(service.keys.owner))).toBe(code);
  });

  it.each([
    [{ type: 'robot-secret', payload: '' }, 'credentials.type is "robot-secret"; only "api-key" is known.'],
    [undefined, 'credentials.type is ""; only "api-key" is known.'],
  ])('says what it got in place of a key: %j', async (credentials, message) => {
    await expect(service.anonymous.auth.authenticate({ entity: 'x', credentials })).rejects.toThrow(message);
  });

  it('says whose key a token stands for, and until when', async () => {
    const token = await tokenOf(service.keys.operator);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(decodeJwt(token)).toMatchObject({
      iss: 'sightglass',
      aud: 'sightglass-data-service',
      sub: service.keys.operator.id,
      organization_id: 'a',
      role: 'operator',
      iat: startTime / 1e6,
      exp: startTime / 1e6 + 3600,
    });
    expect(decodeJwt(token)).not.toHaveProperty('location_id');
    expect(decodeJwt(await tokenOf(service.keys.local))).toMatchObject({ role: 'owner', location_id: 'yard' });
    const atPart = { role: 'owner', location_id: 'yard', part_id: 'yard-part' };
    expect(decodeJwt(await tokenOf(service.keys.atPart))).toMatchObject(atPart);
    expect(decodeJwt(await tokenOf(service.keys.local))).not.toHaveProperty('part_id');
    const [one, other] = [decodeJwt(token).jti!, decodeJwt(await tokenOf(service.keys.operator)).jti!];
    expect(base64url.decode(one)).toHaveLength(16);
    expect(other).not.toBe(one);
  });

  it('says "invalid credentials" and no more', async () => {
    await expect(authenticate(service.keys.owner.id, 'x')).rejects.toThrow(/^\[unauthenticated\] invalid credentials$/);
  });

  it('keeps no secret, only a slow hash of 256 random bits', async () => {
    const { key, secret } = await createApiKey(service.dependencies, {
      organizationId: 'a',
      locationId: null,
      partId: null,
      role: 'owner',
      name: 'k',
    });
    expect(base64url.decode(secret)).toHaveLength(32);
    const text = JSON.stringify(await service.dependencies.store.access.getKey(key.id));
    expect(text).not.toContain(secret);
    expect(text).not.toContain(JSON.stringify(base64url.decode(secret)));
  });
});

describe('a call', () => {
  it('without a token is told to authenticate', async () => {
    await expect(service.anonymous.data.tagsByFilter({})).rejects.toThrow(
      /^\[unauthenticated\] authentication required$/,
    );
  });

  it.each(['', 'Bearer', 'Bearer x', 'Basic eDp5', 'Bearer a.b.c'])('with %j is refused', async (authorization) => {
    expect(await callWith(authorization)).toBe('Unauthenticated');
  });

  it.each(['Basic eDp5', 'Bearer'])('with %j, which is no token, is refused without asking the store', async (sent) => {
    const { access } = service.dependencies.store;
    const asked = vi.spyOn(access, 'installationSecret');
    service.time.now += 10_000_000; // when what signs tokens is asked for again
    expect(await callWith(sent)).toBe('Unauthenticated');
    expect(asked).not.toHaveBeenCalled();
    expect(await callWith('Bearer x')).toBe('Unauthenticated');
    expect(asked).toHaveBeenCalledOnce();
  });

  it('passes with the token that forging starts from', async () => {
    expect(await callWith(`Bearer ${await forge()}`)).toBe('ok');
  });

  it.each([
    ['another audience', { aud: 'else' }],
    ['another issuer', { iss: 'else' }],
    ['an unknown key', { sub: 'nobody' }],
    ['no key', { sub: undefined }],
    ['no id', { jti: undefined }],
    ['an empty id', { jti: '' }],
    ['the mark of another secret', { key: 'else' }],
    ['no mark', { key: undefined }],
    ['an expiry in the past', { exp: startTime / 1e6 - 1 }],
    ['an expiry right now', { exp: startTime / 1e6 }],
    ['no expiry', { exp: undefined }],
  ])('with a token of %s is refused', async (_, changes) => {
    expect(await callWith(`Bearer ${await forge(changes)}`)).toBe('Unauthenticated');
  });

  it('with a token signed by another secret is refused', async () => {
    expect(await callWith(`Bearer ${await forge({}, new Uint8Array(32))}`)).toBe('Unauthenticated');
  });

  it('with a token of another algorithm is refused', async () => {
    expect(await callWith(`Bearer ${await forge({}, undefined, 'HS512')}`)).toBe('Unauthenticated');
  });

  it('with an unsigned token is refused', async () => {
    const key = (await service.dependencies.store.access.getKey(service.keys.owner.id))!;
    const claims = { sub: key.id, iss: 'sightglass', aud: 'sightglass-data-service' };
    const unsigned = new UnsecuredJWT({ ...claims, key: base64url.encode(key.secret.salt) });
    unsigned.setExpirationTime(new Date(startTime / 1000 + 60_000));
    expect(await callWith(`Bearer ${unsigned.encode()}`)).toBe('Unauthenticated');
    const signature = (await forge()).split('.')[2]!;
    expect(await callWith(`Bearer ${unsigned.encode()}${signature}`)).toBe('Unauthenticated');
  });

  it('with a token of a revoked key is refused, and so is the key', async () => {
    const token = await tokenOf(service.keys.operator);
    await service.dependencies.store.access.deleteKey(service.keys.operator.id);
    expect(await callWith(`Bearer ${token}`)).toBe('Unauthenticated');
    expect(await codeOf(authenticate(service.keys.operator.id, service.keys.operator.secret))).toBe('Unauthenticated');
  });

  it('with a token of a key that was given a new secret is refused', async () => {
    const { access } = service.dependencies.store;
    const token = await tokenOf(service.keys.operator);
    const key = (await access.getKey(service.keys.operator.id))!;
    await access.deleteKey(key.id);
    await access.createKey({ ...key, secret: await service.dependencies.secrets.hash('new') });
    expect(await callWith(`Bearer ${token}`)).toBe('Unauthenticated');
  });

  it('is refused from when its key is revoked, however often its token passed before', async () => {
    const lasting = `Bearer ${await tokenOf(service.keys.owner)}`;
    for (const authorization of [lasting, lasting]) expect(await callWith(authorization)).toBe('ok');
    await service.dependencies.store.access.deleteKey(service.keys.owner.id);
    expect(await callWith(lasting)).toBe('Unauthenticated');
  });

  it('passes without a token where the service belongs to its user, but not with a wrong one', async () => {
    const user = { ...localOwner, organizationId: 'a' };
    const { anonymous, as } = await startDataService({ withoutToken: user });
    expect(await codeOf(anonymous.data.tagsByFilter({}))).toBe('ok');
    expect(await codeOf(as('Bearer x').data.tagsByFilter({}))).toBe('Unauthenticated');
  });
});
