import type { DescService } from '@bufbuild/protobuf';
import { Code, ConnectError, type Client } from '@connectrpc/connect';
import type { OperationRecord } from './operation-record.ts';

/** Wraps a client so that the outcome of each call is recorded under the operation's name. */
export function observedClient<Service extends DescService>(
  service: Service,
  client: Client<Service>,
  record: Pick<OperationRecord, 'note'>,
): Client<Service> {
  const observed: Record<string, unknown> = {};
  // The methods have no common type, so they are wrapped untyped; the result has the type of the given client.
  const methods = client as Record<string, (...call: unknown[]) => unknown>;
  for (const { localName, name, methodKind } of service.methods) {
    const note = <Result>(result: Promise<Result>): Promise<Result> =>
      result.then(
        (value) => {
          record.note(name);
          return value;
        },
        (error: unknown) => {
          record.note(name, Code[ConnectError.from(error).code]);
          throw error;
        },
      );
    observed[localName] = (...call: unknown[]) => {
      const answer = methods[localName]!(...call);
      return methodKind === 'server_streaming'
        ? observedStream(answer as AsyncIterable<unknown>, note)
        : note(answer as Promise<unknown>);
    };
  }
  return observed as Client<Service>;
}

async function* observedStream(
  stream: AsyncIterable<unknown>,
  note: <Result>(result: Promise<Result>) => Promise<Result>,
): AsyncGenerator<unknown> {
  const items = stream[Symbol.asyncIterator]();
  const all: unknown[] = [];
  await note(
    (async () => {
      for (let item = await items.next(); !item.done; item = await items.next()) all.push(item.value);
    })(),
  );
  yield* all;
}
