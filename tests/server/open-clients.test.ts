import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { createViamClient } from '@viamrobotics/sdk';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { tokenFor } from '../../src/remote/outbox/access-tokens.ts';
import { serveForTest, type TestServer } from '../../src/server/test-server.ts';
import { useGrpcTransport } from '../clients/connect-1/grpc-transport.ts';
import { goProgram, openProgram, pythonProgram, type OpenClient, type Program } from '../clients/other-languages.ts';

const minute = 60e6;
const programAt = (path: string): string => fileURLToPath(new URL(`../clients/${path}`, import.meta.url));

const answerOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => Code[ConnectError.from(error).code] ?? String((error as { code?: unknown }).code),
  );

/** Connects a client with the key of an owner. */
type Open = (server: TestServer) => Promise<OpenClient>;

const openViamSdk: Open = async ({ origin, service: { keys } }) => {
  const credentials = { type: 'api-key', authEntity: keys.owner.id, payload: keys.owner.secret } as const;
  const { dataClient } = await createViamClient({ serviceHost: origin, credentials });
  const count = () => dataClient.binaryDataByFilter(undefined, 1, undefined, '', false, true);
  return { call: async () => codeOfSdk(await answerOf(count())), close: () => undefined };
};

/** The SDK's errors are those of Connect 1, which print only the number of the code. */
const codeOfSdk = (answer: string): string => (/^\d+$/.test(answer) ? Code[Number(answer)]! : answer);

const openApp: Open = async ({ origin, service: { keys } }) => {
  const transport = createGrpcWebTransport({ baseUrl: origin, httpVersion: '1.1' });
  const authorize = tokenFor(() => transport, keys.owner.id, keys.owner.secret);
  const data = createClient(DataService, transport);
  const count = (authorization: string) => data.binaryDataByFilter({ countOnly: true }, { headers: { authorization } });
  return { call: () => answerOf(authorize(new AbortController().signal, count)), close: () => undefined };
};

const openProgramOf =
  (program: Program): Open =>
  async ({ port, service: { keys } }) => {
    if ('missing' in program) throw new Error(program.missing);
    const { id, secret } = keys.owner;
    const address = `127.0.0.1:${port}`;
    return openProgram(program, { SIGHTGLASS_ADDRESS: address, SIGHTGLASS_KEY_ID: id, SIGHTGLASS_KEY: secret });
  };

interface ClientToOpen {
  readonly name: string;
  readonly open: Open;
  /** the results of its next calls after an hour without calls */
  readonly afterSilence: readonly string[];
  readonly isHere: boolean;
}

const refused = ['Unauthenticated', 'Unauthenticated'];
const programClient = (name: string, program: Program, afterSilence: readonly string[]): ClientToOpen => ({
  name: 'missing' in program ? `${name} (skipped: ${program.missing})` : name,
  open: openProgramOf(program),
  afterSilence,
  isHere: !('missing' in program),
});

const clients: readonly ClientToOpen[] = [
  { name: 'the app', open: openApp, afterSilence: ['ok', 'ok'], isHere: true },
  { name: 'the Viam SDK for TypeScript, by gRPC-Web', open: openViamSdk, afterSilence: refused, isHere: true },
  {
    name: 'the Viam SDK for TypeScript, by gRPC',
    async open(server) {
      onTestFinished(useGrpcTransport(() => undefined));
      return openViamSdk(server);
    },
    afterSilence: refused,
    isHere: true,
  },
  programClient('the Viam SDK for Python', pythonProgram(programAt('python/stay_open.py')), refused),
  // It discards a refused token, so only the first call fails.
  programClient('Viam’s library for Go', goProgram(readFileSync(programAt('go/stay_open.go'), 'utf8'), afterAll), [
    'Unauthenticated',
    'ok',
  ]),
];

describe.each(clients)('$name, left open', ({ open, afterSilence, isHere }) => {
  const start = async () => {
    const server = await serveForTest();
    const client = await open(server);
    onTestFinished(() => client.close());
    const later = (minutes: number): Promise<string> => {
      server.service.time.now += minutes * minute;
      return client.call();
    };
    return { server, later };
  };

  it.runIf(isHere)('goes on past the hour of its token while it is used', async () => {
    const { later } = await start();
    const answers = [await later(0), await later(50), await later(50), await later(50), await later(54)];
    expect(answers).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  });

  it.runIf(isHere)(`after an hour of silence gets ${afterSilence.join(', then ')}`, async () => {
    const { later } = await start();
    expect([await later(0), await later(61), await later(0)]).toEqual(['ok', ...afterSilence]);
  });

  it.runIf(isHere)('is refused at once when its key is revoked', async () => {
    const { server, later } = await start();
    expect(await later(1)).toBe('ok');
    await server.service.dependencies.store.access.deleteKey(server.service.keys.owner.id);
    expect(await later(0)).toBe('Unauthenticated');
  });
});
