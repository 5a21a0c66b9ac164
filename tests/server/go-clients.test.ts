import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGoTransport, type GoTransport } from '../clients/go-transport.ts';
import { login } from '../clients/login.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import { describeOperations, type ServiceClients } from '../clients/operation-scenarios.ts';
import { goProgram } from '../clients/other-languages.ts';
import { readmeColumn } from '../clients/readme-column.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';

const source = readFileSync(new URL('../clients/go/call_operations.go', import.meta.url), 'utf8');
const program = goProgram(source, afterAll);
const why = 'missing' in program ? ` (skipped: ${program.missing})` : '';

describe.skipIf('missing' in program)(`Viam’s clients for Go${why}`, () => {
  const record = new OperationRecord();
  let server: SightglassServer;
  let go: GoTransport;
  let clients: ServiceClients;
  beforeAll(async () => {
    if ('missing' in program) return;
    server = await serveSightglass(['--mongo-port', '0']);
    go = await openGoTransport(program, server);
    // The library has its own token; the one of the login proves only that Authenticate works.
    clients = await login(server, () => go.transport, record);
  });
  afterAll(async () => {
    go?.close();
    await server?.close();
  });

  describeOperations({ home: () => server, clients: () => clients, record, knowsSightglass: false });

  it('is what the README says', () => {
    expect(readmeColumn('Server: Go', record.marks)).toEqual(record.marks);
  });
});
