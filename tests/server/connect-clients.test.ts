import type { Interceptor, Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import * as web from '@connectrpc/connect-web';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMemberInFolder } from '../clients/add-member.ts';
import { authorizing, login } from '../clients/login.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import { describeOperations, type ServiceClients } from '../clients/operation-scenarios.ts';
import { readmeColumn } from '../clients/readme-column.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';

let server: SightglassServer;
const record = new OperationRecord();

beforeAll(async () => {
  server = await serveSightglass(['--mongo-port', '0']);
});
afterAll(() => server.close());

type CreateTransport = (options: { baseUrl: string; interceptors: Interceptor[] }) => Transport;

describe.each<[string, boolean, CreateTransport]>([
  ['gRPC, connect-node', true, createGrpcTransport],
  ['gRPC-Web over HTTP/1.1, connect-node', true, (o) => createGrpcWebTransport({ ...o, httpVersion: '1.1' })],
  ['Connect over HTTP/2, connect-node', true, (o) => createConnectTransport({ ...o, httpVersion: '2' })],
  ['Connect with JSON, connect-web', false, web.createConnectTransport],
])('Connect’s own client: %s', (_, sendsStreams, createTransport) => {
  let clients: ServiceClients;
  beforeAll(async () => {
    const connect = (authorization: string | null) =>
      createTransport({ baseUrl: server.origin, interceptors: [authorizing(authorization)] });
    clients = await login(server, connect, record);
  });
  const addMember = () => addMemberInFolder(server.dataDir, server.organizationId);
  describeOperations({ home: () => server, clients: () => clients, record, sendsStreams, addMember });
});

it('is what the README says', () => {
  expect(readmeColumn('Server: Connect', record.marks)).toEqual(record.marks);
});
