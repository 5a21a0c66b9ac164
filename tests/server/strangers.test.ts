import { createConnectRouter } from '@connectrpc/connect';
import { SignJWT, UnsecuredJWT, base64url } from 'jose';
import { expect, it } from 'vitest';
import { requirementOf } from '../../src/data-service/access/operation-roles.ts';
import { dataServiceRoutes } from '../../src/data-service/data-service-routes.ts';
import { serveForTest, type TestServer } from '../../src/server/test-server.ts';
import { startTime } from '../data-service-fixture.ts';

/** Tokens that must be refused. Each differs from a valid one in what its name says. */
async function badTokens({ service }: TestServer): Promise<Record<string, string | null>> {
  const { access } = service.dependencies.store;
  const signing = await access.installationSecret('access-tokens', new Uint8Array(32));
  const key = (await access.getKey(service.keys.owner.id))!;
  const claims = { key: base64url.encode(key.secret.salt) };
  const soon = new Date(startTime / 1000 + 60_000);
  const own = () =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('sightglass')
      .setAudience('sightglass-data-service')
      .setSubject(key.id)
      .setExpirationTime(soon);
  const revoked = service.keys.operator;
  const credentials = { type: 'api-key', payload: revoked.secret };
  const { accessToken } = await service.anonymous.auth.authenticate({ entity: revoked.id, credentials });
  await access.deleteKey(revoked.id);
  return {
    'no token': null,
    nonsense: 'nonsense',
    'no algorithm': new UnsecuredJWT({ ...claims, sub: key.id, iss: 'sightglass', aud: 'sightglass-data-service' })
      .setExpirationTime(soon)
      .encode(),
    'another audience': await own().setAudience('else').sign(signing),
    'a time that is over': await own()
      .setExpirationTime(new Date(startTime / 1000 - 1000))
      .sign(signing),
    'another secret': await own().sign(new Uint8Array(32)),
    'a revoked key': accessToken,
  };
}

it('every operation refuses whoever is not known, before it reads what they send', async () => {
  const server = await serveForTest();
  const router = createConnectRouter();
  dataServiceRoutes(server.service.dependencies)(router);
  const behindGate = router.handlers.filter(({ method }) => requirementOf(method).role !== null);
  expect(behindGate.length).toBeGreaterThan(50);
  for (const [what, token] of Object.entries(await badTokens(server))) {
    for (const { requestPath, method } of behindGate) {
      const contentType = method.methodKind === 'unary' ? 'application/json' : 'application/connect+json';
      const response = await fetch(server.origin + requestPath, {
        method: 'POST',
        headers: { 'content-type': contentType, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
        body: 'not a message',
      });
      const text = await response.text();
      expect([what, requestPath, text.includes('"unauthenticated"')]).toEqual([what, requestPath, true]);
    }
    const file = await fetch(`${server.origin}/data/files/a/lab/none`, {
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    });
    expect([what, file.status]).toEqual([what, 401]);
  }
  expect(server.service.defects).toEqual([]);
});
