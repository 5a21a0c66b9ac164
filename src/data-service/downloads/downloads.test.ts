import { beforeEach, describe, expect, it } from 'vitest';
import {
  collect,
  codeOf,
  startDataService,
  startTime,
  uploadPicture,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { addMember, logMemberIn } from '../../../tests/session-host.ts';
import { issueAccessToken } from '../access/access-token.ts';
import type { OpenBlob } from '../ports/blob-store.ts';
import { StoreError } from '../ports/store-error.ts';
import { verifyApiKey } from '../access/api-keys.ts';
import { replaceSecrets } from '../access/installation-secret.ts';
import { authenticateDownload } from './authenticate-download.ts';
import { begun, download, isDownload } from './download.ts';

let service: TestService;
let picture: string;
beforeEach(async () => {
  service = await startDataService();
  picture = await uploadPicture(service.owner, { fileName: 'a cup’s “view”.png' });
});

const origin = 'https://data.example';

const authenticate = (header: Headers) =>
  authenticateDownload(service.dependencies, header, (keyId, secret) =>
    verifyApiKey(service.dependencies, keyId, secret),
  );

async function get(pathAndQuery: string, headers: Record<string, string> = {}, method = 'GET', destination = '') {
  const answer = await download(
    { ...service.dependencies, authenticate },
    { method, pathAndQuery, header: new Headers(headers), destination },
  );
  const { status, header, body } = await begun(answer, service.dependencies.defects);
  const chunks = body === null ? [] : await collect(body);
  return { status, header, text: chunks.map((chunk) => new TextDecoder().decode(chunk)).join('') };
}

async function signed(expirationMinutes?: number): Promise<{ path: string; expiresAt: bigint }> {
  const request = { binaryDataId: picture, ...(expirationMinutes !== undefined && { expirationMinutes }) };
  const { signedUrl, expiresAt } = await service.operator.data.createBinaryDataSignedURL(request);
  expect(signedUrl.startsWith(`${origin}/data/signed/`)).toBe(true);
  return { path: signedUrl.slice(origin.length), expiresAt: expiresAt!.seconds };
}

async function uriOf(id: string): Promise<string> {
  const { data } = await service.operator.data.binaryDataByIDs({ binaryDataIds: [id] });
  return data[0]!.metadata!.uri.slice(origin.length);
}

describe('a signed URL', () => {
  it.each([
    [undefined, 15n],
    [0, 15n],
    [1, 1n],
    [10_080, 10_080n],
  ])('for %s minutes lasts %d', async (minutes, expected) => {
    const { path, expiresAt } = await signed(minutes);
    expect(expiresAt).toBe(BigInt(startTime / 1e6) + expected * 60n);
    service.time.now = Number(expiresAt) * 1e6 - 1;
    expect(await get(path)).toMatchObject({ status: 200, text: 'pixels' });
    service.time.now += 1;
    expect((await get(path)).status).toBe(410);
  });

  it.each([
    ['more than a week', 'InvalidArgument', () => ({ binaryDataId: picture, expirationMinutes: 10_081 })],
    ['no file', 'InvalidArgument', () => ({})],
    ['an unknown file', 'NotFound', () => ({ binaryDataId: 'a/lab/none' })],
  ])('is refused for %s', async (_, code, request) => {
    expect(await codeOf(service.owner.data.createBinaryDataSignedURL(request()))).toBe(code);
  });

  it('with any character changed, added or taken away is forged', async () => {
    const { path } = await signed();
    for (let index = '/data/signed/'.length; index < path.length; index++) {
      const other = path[index] === '0' ? '1' : '0';
      const changed = path.slice(0, index) + other + path.slice(index + 1);
      expect((await get(changed)).status, changed).toBe(403);
    }
    const variants = [
      `${path}0`,
      `${path}&x=1`,
      `${path}#x`,
      path.slice(0, -1),
      path.toUpperCase(),
      path.replace('lab', '%6cab'),
    ];
    for (const variant of variants)
      expect((await get(variant.replace('/DATA/SIGNED/', '/data/signed/'))).status, variant).toBe(403);
    expect((await get('/data/signed/')).status).toBe(403);
  });

  it('of a forged URL never tells whether it has expired or the file exists', async () => {
    const { path, expiresAt } = await signed();
    service.time.now = Number(expiresAt + 1n) * 1e6;
    expect((await get(path.replace(String(expiresAt), String(expiresAt + 100n)))).status).toBe(403);
  });

  it('made before new secrets is forged', async () => {
    const { path } = await signed();
    await replaceSecrets(service.dependencies);
    service.time.now += 10_000_000;
    expect((await get(path)).status).toBe(403);
  });

  it('of deleted data is not found', async () => {
    const { path } = await signed();
    await service.owner.data.deleteBinaryDataByIDs({ binaryDataIds: [picture] });
    expect((await get(path)).status).toBe(404);
  });
});

describe('a uri', () => {
  const bearer = async (key: 'owner' | 'local' | 'atPart' | 'stranger') => {
    const { id, secret } = service.keys[key];
    const { accessToken } = await service.anonymous.auth.authenticate({
      entity: id,
      credentials: { type: 'api-key', payload: secret },
    });
    return { authorization: `Bearer ${accessToken}` };
  };

  it('gives the file for a token, or for the headers key_id and key', async () => {
    const uri = await uriOf(picture);
    expect(await get(uri, await bearer('owner'))).toMatchObject({ status: 200, text: 'pixels' });
    const { id, secret } = service.keys.operator;
    expect(await get(uri, { key_id: id, key: secret })).toMatchObject({ status: 200, text: 'pixels' });
  });

  it('is refused without credentials, with wrong ones, and for others', async () => {
    const uri = await uriOf(picture);
    expect(await get(uri)).toMatchObject({ status: 401 });
    expect((await get(uri)).header.get('www-authenticate')).toBe('Bearer');
    expect((await get(uri, { authorization: 'Bearer x' })).status).toBe(401);
    expect((await get(uri, { key_id: service.keys.owner.id, key: 'x' })).status).toBe(401);
    expect((await get(uri, await bearer('stranger'))).status).toBe(403);
    expect((await get(uri, await bearer('local'))).status).toBe(403);
  });

  it('is refused to a key of another part of the location, and so is what is not there', async () => {
    const { owner, dependencies } = service;
    const { access } = dependencies.store;
    await access.createPart({ ...(await access.getPart('yard-part'))!, id: 'yard-arm' });
    const [own, other] = [
      await uploadPicture(owner, { partId: 'yard-part' }),
      await uploadPicture(owner, { partId: 'yard-arm' }),
    ];
    const header = await bearer('atPart');
    const statuses = [await uriOf(own), await uriOf(other), '/data/files/a/yard/none'].map(
      async (uri) => (await get(uri, header)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 403, 403]);
    const { id: key_id, secret: key } = service.keys.atPart;
    expect((await get(await uriOf(other), { key_id, key })).status).toBe(403);
    expect((await get(await uriOf(own), { key_id, key })).status).toBe(200);
  });

  it.each([
    '/data/files/a/lab/none',
    '/data/files/',
    '/data/files/nonsense',
    '/data/files/%',
    '/data/files/a/lab/../lab/x',
  ])('that names nothing is not found: %s', async (path) => {
    expect((await get(path, await bearer('owner'))).status).toBe(404);
  });

  it('is opened by GET and HEAD only', async () => {
    const uri = await uriOf(picture);
    const head = await get(uri, await bearer('owner'), 'HEAD');
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.header.get('content-length')).toBe('6');
    const ofPart = await get(uri, { ...(await bearer('owner')), range: 'bytes=1-3' }, 'HEAD');
    expect([ofPart.status, ofPart.header.get('content-length')]).toEqual([200, '6']);
    expect((await get(uri, await bearer('owner'), 'POST')).status).toBe(405);
  });

  it('gives parts, so that a video seeks', async () => {
    const uri = await uriOf(picture);
    const headers = await bearer('owner');
    const part = await get(uri, { ...headers, range: 'bytes=1-3' });
    expect(part).toMatchObject({ status: 206, text: 'ixe' });
    expect(part.header.get('content-range')).toBe('bytes 1-3/6');
    expect(part.header.get('content-length')).toBe('3');
    const beyond = await get(uri, { ...headers, range: 'bytes=6-' });
    expect(beyond.status).toBe(416);
    expect(beyond.header.get('content-range')).toBe('bytes */6');
    const etag = part.header.get('etag')!;
    for (const known of [etag, `W/${etag}`, `"old", ${etag}`, '*'])
      expect((await get(uri, { ...headers, 'if-none-match': known })).status, known).toBe(304);
    expect((await get(uri, { ...headers, 'if-none-match': '"old", W/"older"' })).text).toBe('pixels');
    expect((await get(uri, { ...headers, range: 'bytes=1-3', 'if-range': etag })).status).toBe(206);
    expect((await get(uri, { ...headers, range: 'bytes=1-3', 'if-range': '"old"' })).text).toBe('pixels');
  });

  it.each([
    ['', 200],
    ['empty', 200],
    ['image', 200],
    ['video', 200],
    ['document', 200],
    ['script', 403],
    ['style', 403],
    ['worker', 403],
    ['sharedworker', 403],
    ['serviceworker', 403],
    ['audioworklet', 403],
  ])('that a page wants as its %j is answered %d, of whatever type it is', async (destination, status) => {
    const { path } = await signed();
    expect((await get(path, {}, 'GET', destination)).status).toBe(status);
  });

  it.each([
    ['image/png', 'image/png', 'inline'],
    ['text/html', 'text/html', 'attachment'],
    ['image/svg+xml', 'image/svg+xml', 'attachment'],
    ['image/SVG+xml', 'image/SVG+xml', 'attachment'],
    ['IMAGE/png', 'IMAGE/png', 'inline'],
    ['text/javascript', 'application/octet-stream', 'attachment'],
    ['application/X-ECMAScript', 'application/octet-stream', 'attachment'],
    ['text/livescript', 'application/octet-stream', 'attachment'],
    ['text/css', 'application/octet-stream', 'attachment'],
    ['a\r\nset-cookie: x', 'application/octet-stream', 'attachment'],
  ])('lets nothing of type %j run in the page’s origin', async (mimeType, type, disposition) => {
    const id = await uploadPicture(service.owner, { mimeType, fileName: 'pages/it’s “x”.html' });
    const { header } = await get(await uriOf(id), await bearer('owner'));
    expect(header.get('content-type')).toBe(type);
    expect(header.get('content-disposition')).toBe(
      `${disposition}; filename*=UTF-8''it%E2%80%99s%20%E2%80%9Cx%E2%80%9D.html`,
    );
    expect(header.get('content-security-policy')).toContain('sandbox');
    expect(header.get('x-content-type-options')).toBe('nosniff');
    expect(header.get('cross-origin-resource-policy')).toBe('cross-origin');
  });
});

it.each([
  ['/data/files/a/b/c', true],
  ['/data/signed/a/b/c', true],
  ['/data', false],
  ['/viam.app.data.v1.DataService/TagsByFilter', false],
])('a download lies at %s: %s', (path, expected) => {
  expect(isDownload(path)).toBe(expected);
});

describe('a file whose bytes are damaged', () => {
  const token = async () => ({
    authorization: `Bearer ${await issueAccessToken(service.dependencies, (await service.dependencies.store.access.getKey(service.keys.owner.id))!)}`,
  });

  async function damage(id: string, change: (blob: OpenBlob) => OpenBlob | null): Promise<void> {
    const { blobs, binary } = service.dependencies.store;
    const [record] = await binary.get('a', [id]);
    const open = blobs.open.bind(blobs);
    blobs.open = async (address) => {
      const blob = await open(address);
      return blob !== null && address === record!.blobAddress ? change(blob) : blob;
    };
  }
  const flipped = (blob: OpenBlob): OpenBlob => ({
    ...blob,
    async read(range) {
      const bytes = await blob.read(range);
      if (range.start === 0) bytes[0]! ^= 1;
      return bytes;
    },
  });

  it.each([
    ['lost', () => null],
    ['changed', flipped],
    ['shorter', (blob: OpenBlob) => ({ ...blob, sizeBytes: 2 })],
  ] as const)('(%s) is answered 500 and reported', async (_, change) => {
    await damage(picture, change);
    const uri = await uriOf(picture);
    const answer = await get(uri, await token());
    expect([answer.status, answer.text]).toEqual([
      500,
      expect.stringContaining(`The bytes of ${picture} are lost or damaged`),
    ]);
    expect((await get(uri, { ...(await token()), range: 'bytes=0-' })).status).toBe(500);
    expect(service.defects).toMatchObject([{ code: 'damaged', subject: picture }, { subject: picture }]);
  });

  it('is not given out to its end where it is larger than what is read at first', async () => {
    const id = await uploadPicture(service.owner, {}, startTime, 'x'.repeat(2 ** 21 + 7));
    await damage(id, flipped);
    const { body } = await begun(
      await download(
        { ...service.dependencies, authenticate },
        { method: 'GET', pathAndQuery: await uriOf(id), header: new Headers(await token()), destination: '' },
      ),
      service.dependencies.defects,
    );
    let given = 0;
    const drawn = (async () => {
      for await (const chunk of body!) given += chunk.length;
    })();
    await expect(drawn).rejects.toMatchObject({ code: 'damaged', subject: id });
    expect(given).toBe(2 ** 21);
  });

  it('that is deleted while it is asked for is no damage', async () => {
    const uri = await uriOf(picture);
    await damage(picture, () => null);
    const { binary } = service.dependencies.store;
    const find = binary.get.bind(binary);
    let asked = 0;
    binary.get = async (organizationId, ids) => (++asked > 1 ? [null] : find(organizationId, ids));
    expect((await get(uri, await token())).status).toBe(404);
    expect(service.defects).toEqual([]);
  });
});

it('leaves a store that is damaged as a whole to whoever answers for all operations', async () => {
  const lost = new StoreError('damaged', 'The database is no database.');
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* [];
    throw lost;
  }
  await expect(begun({ status: 200, header: new Headers(), body: body() }, service.dependencies.defects)).rejects.toBe(
    lost,
  );
  expect(service.defects).toEqual([]);
});

const noAccess =
  'Whoever made this URL no longer has access: a key that was revoked, or a person who was removed or has another place or role. Ask for a new one.';

it('is given to a person who is logged in', async () => {
  const session = await logMemberIn(service.dependencies, await addMember(service.dependencies, 'annotator', 'lab'));
  const principal = await authenticateDownload(service.dependencies, new Headers(), async () => null, session);
  expect(principal).toMatchObject({ role: 'annotator', locationId: 'lab', organizationId: 'a' });
  const stolen = { ...session, origin: 'https://evil.example' };
  const refused = authenticateDownload(service.dependencies, new Headers(), async () => null, stolen);
  expect(await codeOf(refused)).toBe('Unauthenticated');
});

describe('a signed URL and its key', () => {
  it('end together', async () => {
    const { path } = await signed();
    expect((await get(path)).status).toBe(200);
    await service.dependencies.store.access.deleteKey(service.keys.operator.id);
    const { status, text } = await get(path);
    expect([status, text]).toEqual([410, `${noAccess}\n`]);
  });

  it('end together also where a person made it, who is removed', async () => {
    const member = await addMember(service.dependencies, 'annotator');
    const clients = service.inSession(await logMemberIn(service.dependencies, member));
    const { signedUrl } = await clients.data.createBinaryDataSignedURL({ binaryDataId: picture });
    const path = signedUrl.slice(origin.length);
    expect((await get(path)).status).toBe(200);
    await service.dependencies.store.people!.removeMember(member.id);
    expect(await get(path)).toMatchObject({ status: 410, text: `${noAccess}\n` });
  });

  it.each([
    ['another location', { role: 'annotator', locationId: 'yard', partId: null }],
    ['another role', { role: 'reviewer', locationId: null, partId: null }],
  ] as const)('end together also where the person who made it gets %s', async (_, powers) => {
    const { people } = service.dependencies.store;
    const member = await addMember(service.dependencies, 'annotator');
    const clients = service.inSession(await logMemberIn(service.dependencies, member));
    const { signedUrl } = await clients.data.createBinaryDataSignedURL({ binaryDataId: picture });
    const path = signedUrl.slice(origin.length);
    expect((await get(path)).status).toBe(200);
    await people!.changeMember(member.id, powers);
    expect(await get(path)).toMatchObject({ status: 410, text: `${noAccess}\n` });
  });

  it('end together also where another key gets the same id', async () => {
    const { access } = service.dependencies.store;
    const { path } = await signed();
    const key = (await access.getKey(service.keys.operator.id))!;
    await access.deleteKey(key.id);
    await access.createKey({ ...key, secret: await service.dependencies.secrets.hash('another') });
    expect((await get(path)).status).toBe(410);
  });

  it('is forged where its key is left out', async () => {
    const { path } = await signed();
    expect((await get(path.replace(/&key=[^&]+/, ''))).status).toBe(403);
  });
});

it.each([
  ['x'.repeat(1_000_000) + '.png', `${'x'.repeat(251)}.png`],
  ['x'.repeat(300), 'x'.repeat(255)],
  ['ü'.repeat(254) + '.png', encodeURIComponent(`${'ü'.repeat(251)}.png`)],
])('downloads a file whatever the length of its name', async (fileName, told) => {
  const id = await uploadPicture(service.owner);
  // the file may be stored from before names had a bound
  await service.dependencies.store.binary.edit('a', [id], (file) => ({ ...file, fileName }));
  const { id: keyId, secret } = service.keys.owner;
  const { status, header } = await get(await uriOf(id), { key_id: keyId, key: secret });
  expect(status).toBe(200);
  expect(header.get('content-disposition')).toBe(`inline; filename*=UTF-8''${told}`);
});
