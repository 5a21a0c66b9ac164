import {
  create,
  toBinary,
  type DescMessage,
  type DescMethodStreaming,
  type DescMethodUnary,
  type MessageInitShape,
} from '@bufbuild/protobuf';
import type { ContextValues, StreamResponse, Transport } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { tokenFor } from '../../../remote/outbox/access-tokens.ts';
import { authorizedTransport, type ServerConnection } from '../../../remote/outbox/authorized-transport.ts';
import { membershipOf, type ServerTarget } from '../../../remote/outbox/outbox-target.ts';
import { redacting, type TargetKeys } from '../../../remote/outbox/target-keys.ts';
import { watchedFetch } from '../../../remote/outbox/watched-fetch.ts';

/** The way to all operations of the server that the page comes from, by the session of whoever is logged in there. */
export function connectOwnServer(url: string, name: string, onRefused: () => void): ServerConnection {
  const transport = serverTransport(url, 'same-origin');
  return authorizedTransport(transport, { authorize: (_, call) => call(''), name, redact: (text) => text, onRefused });
}

/** The way to all operations of a server, over gRPC-Web; null where its key has to be given. */
export async function connectServer(
  keys: Pick<TargetKeys, 'get'>,
  target: ServerTarget,
  onRefused: () => void,
): Promise<ServerConnection | null> {
  if (membershipOf(target) !== null) return connectOwnServer(target.url, target.name, onRefused);
  const key = await keys.get(target);
  if (key === null) return null;
  const transport = serverTransport(target.url, 'omit');
  const authorize = tokenFor(() => transport, target.keyId, key);
  return authorizedTransport(transport, { authorize, name: target.name, redact: redacting(key), onRefused });
}

/** gRPC-Web, with request streams too: pages can send none, so their messages go together, as one body. */
function serverTransport(baseUrl: string, credentials: RequestCredentials): Transport {
  const plain = watchedFetch((input, init) => fetch(input, { ...init, credentials }));
  const transport = createGrpcWebTransport({ baseUrl, fetch: plain });
  return {
    unary: transport.unary,
    async stream<I extends DescMessage, O extends DescMessage>(
      method: DescMethodStreaming<I, O>,
      signal?: AbortSignal,
      timeoutMs?: number,
      header?: HeadersInit,
      input: AsyncIterable<MessageInitShape<I>> = none(),
      contextValues?: ContextValues,
    ): Promise<StreamResponse<I, O>> {
      if (method.methodKind !== 'client_streaming')
        return transport.stream(method, signal, timeoutMs, header, input, contextValues);
      const messages: MessageInitShape<I>[] = [];
      for await (const message of input) messages.push(message);
      const body = new Blob(messages.map((message) => envelope(method.input, message)));
      const together = createGrpcWebTransport({ baseUrl, fetch: (url, init) => plain(url, { ...init, body }) });
      const asUnary = { ...method, methodKind: 'unary' } as unknown as DescMethodUnary<I, O>;
      const first = messages[0] ?? create(method.input); // the message's body is replaced
      const answer = await together.unary(asUnary, signal, timeoutMs, header, first, contextValues);
      return { ...answer, method, stream: true, message: one(answer.message) };
    },
  };
}

async function* none<T>(): AsyncGenerator<T> {}

async function* one<T>(message: T): AsyncGenerator<T> {
  yield message;
}

/** A message as the body of a request holds it: a flag byte, its length in four bytes, itself. */
function envelope<I extends DescMessage>(schema: I, message: MessageInitShape<I>): Uint8Array<ArrayBuffer> {
  const bytes = toBinary(schema, create(schema, message));
  const enveloped = new Uint8Array(5 + bytes.length);
  new DataView(enveloped.buffer).setUint32(1, bytes.length);
  enveloped.set(bytes, 5);
  return enveloped;
}
