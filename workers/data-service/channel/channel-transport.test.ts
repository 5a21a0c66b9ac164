import { Code, ConnectError, createClient, type ConnectRouter, type ServiceImpl } from '@connectrpc/connect';
import { expect, it, onTestFinished } from 'vitest';
import { codeOf } from '../../../tests/data-service-fixture.ts';
import { DataService } from '../../../src/gen/app/data/v1/data_pb.ts';
import { DataSyncService } from '../../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { answerChannelCalls, type CallSource } from './answer-channel-calls.ts';
import { createChannelTransport, type CallEndpoint } from './channel-transport.ts';

function connect(impl: {
  data?: Partial<ServiceImpl<typeof DataService>>;
  sync?: Partial<ServiceImpl<typeof DataSyncService>>;
}) {
  const { port1, port2 } = new MessageChannel();
  const lost = new AbortController();
  answerChannelCalls(port2 as unknown as CallSource, (router) => {
    router.service(DataService, impl.data ?? {}).service(DataSyncService, impl.sync ?? {});
  });
  port2.start();
  onTestFinished(() => port1.close());
  const transport = createChannelTransport(port1 as CallEndpoint, lost.signal);
  return { data: createClient(DataService, transport), sync: createClient(DataSyncService, transport), lost };
}

const row = (count: number) => ({ partId: String(count) });
const content = (data: Uint8Array) => ({ uploadPacket: { case: 'fileContents' as const, value: { data } } });

it('carries unary calls, their errors and unknown operations', async () => {
  const { data } = connect({
    data: { binaryDataByIDs: ({ binaryDataIds }) => ({ count: BigInt(binaryDataIds.length) }) },
  });
  expect((await data.binaryDataByIDs({ binaryDataIds: ['a', 'b'] })).count).toBe(2n);
  expect(await codeOf(data.tagsByFilter({}))).toBe(Code[Code.Unimplemented]);
});

it('carries a megabyte a message up, and its bytes unchanged', async () => {
  const sizes: number[] = [];
  const { sync } = connect({
    sync: {
      async fileUpload(messages) {
        for await (const { uploadPacket } of messages) {
          if (uploadPacket.case !== 'fileContents') continue;
          sizes.push(uploadPacket.value.data.length);
          if (uploadPacket.value.data.some((byte) => byte !== sizes.length)) throw new Error('changed');
        }
        return { binaryDataId: 'whole' };
      },
    },
  });
  async function* file() {
    for (let number = 1; number <= 20; number++) yield content(new Uint8Array(2 ** 20).fill(number));
  }
  expect((await sync.fileUpload(file())).binaryDataId).toBe('whole');
  expect(sizes).toEqual(Array(20).fill(2 ** 20));
});

it('lets a slow reader hold a fast writer back', async () => {
  let made = 0;
  const { data } = connect({
    data: {
      async *exportTabularData() {
        while (made < 10_000) yield row(made++);
      },
    },
  });
  let read = 0;
  for await (const { partId } of data.exportTabularData({})) {
    expect(partId).toBe(String(read++));
    if (read % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
    expect(made - read).toBeLessThan(50);
    if (read === 1000) break;
  }
  expect(made).toBeLessThan(1100);
});

it('cancels the handler of a call that is given up', async () => {
  let ended!: (reason: unknown) => void;
  const end = new Promise((resolve) => (ended = resolve));
  const { data } = connect({
    data: {
      async *exportTabularData(_, { signal }) {
        try {
          yield row(0);
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
        } finally {
          ended(signal.aborted);
        }
      },
    },
  });
  const cancel = new AbortController();
  const read = async () => {
    for await (const _ of data.exportTabularData({}, { signal: cancel.signal })) cancel.abort();
  };
  expect(await codeOf(read())).toBe('Canceled');
  expect(await end).toBe(true);
});

it('fails an upload whose source fails, on both sides', async () => {
  let outcome!: (error: unknown) => void;
  const seen = new Promise((resolve) => (outcome = resolve));
  const { sync } = connect({
    sync: {
      async fileUpload(messages) {
        try {
          for await (const _ of messages);
          outcome('stored');
        } catch (error) {
          outcome('failed');
          throw error;
        }
        return {};
      },
    },
  });
  async function* broken() {
    yield content(new Uint8Array(3));
    throw new Error('the file went away');
  }
  expect(await codeOf(sync.fileUpload(broken()))).not.toBe('ok');
  expect(await seen).toBe('failed');
});

it('asks with every call whether it is ready, and says why not', async () => {
  const { port1, port2 } = new MessageChannel();
  const states = [() => Promise.reject(new Error('no storage yet')), () => Promise.resolve()];
  const routes = (router: ConnectRouter) =>
    void router.service(DataService, { tagsByFilter: (_, { url }) => ({ tags: [url] }) });
  answerChannelCalls(port2 as unknown as CallSource, routes, () => states.shift()!());
  port2.start();
  onTestFinished(() => port1.close());
  const transport = createChannelTransport(port1 as CallEndpoint, new AbortController().signal, 'https://host/folder/');
  const data = createClient(DataService, transport);
  const refused = await data.tagsByFilter({}).then(() => null, ConnectError.from);
  expect([refused?.code, refused?.rawMessage]).toEqual([Code.Unavailable, 'no storage yet']);
  expect((await data.tagsByFilter({})).tags).toEqual(['https://host/folder/viam.app.data.v1.DataService/TagsByFilter']);
});

it('ends calls under way when the worker is lost, and later ones', async () => {
  const { data, lost } = connect({ data: { tagsByFilter: () => new Promise(() => undefined) } });
  const call = codeOf(data.tagsByFilter({}));
  lost.abort();
  expect(await call).toBe('Unavailable');
  expect(await codeOf(data.tagsByFilter({}))).toBe('Unavailable');
});
