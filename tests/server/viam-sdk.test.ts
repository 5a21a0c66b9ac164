import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useGrpcTransport } from '../clients/connect-1/grpc-transport.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import { readmeColumn } from '../clients/readme-column.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';
import { describeViamSdk } from '../clients/viam-sdk-scenarios.ts';

let server: SightglassServer;
const home = (): SightglassServer => server;
const record = new OperationRecord();

beforeAll(async () => {
  server = await serveSightglass(['--mongo-port', '0']);
});
afterAll(() => server.close());

describe('the Viam SDK in Node, by gRPC-Web', () => {
  describeViamSdk({ home, sendsStreams: false, record });
});

describe('the Viam SDK in Node, by gRPC', () => {
  let restore = (): void => undefined;
  beforeAll(() => {
    restore = useGrpcTransport((operation) => record.note(operation));
  });
  afterAll(() => restore());
  describeViamSdk({ home, sendsStreams: true, record });
});

it('is what the README says', () => {
  expect(readmeColumn('Server: SDK, Node', record.marks)).toEqual(record.marks);
});
