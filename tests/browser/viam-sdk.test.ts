import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from 'vitest/browser';
import type { ServedHome } from '../clients/home.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import { describeViamSdk } from '../clients/viam-sdk-scenarios.ts';
import type {} from '../clients/page-commands.ts';

let server: ServedHome;
const record = new OperationRecord();

beforeAll(async () => {
  server = await commands.serveSightglass();
  expect(new URL(server.origin).origin).not.toBe(location.origin);
});
afterAll(() => commands.closeSightglass(server.origin));

describe('the Viam SDK in a page of another origin', () => {
  describeViamSdk({ home: () => server, sendsStreams: false, record });
});

it('is what the README says', async () => {
  expect(await commands.readmeColumn('Server: SDK, Chromium', record.marks)).toEqual(record.marks);
});
