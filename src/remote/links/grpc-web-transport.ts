import type { Transport } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { HttpRefusal } from '../outbox/read-failure.ts';
import { watchedFetch } from '../outbox/watched-fetch.ts';

/** A transport to a server that allows gRPC-Web from any origin. @param url without a trailing slash */
export function grpcWebTransport(url: string): Transport {
  const plain = watchedFetch((input, init) => fetch(input, { ...init, credentials: 'omit' }));
  return createGrpcWebTransport({ baseUrl: url, fetch: async (input, init) => answerOfApi(await plain(input, init)) });
}

/** Checks the content type, because an ordinary web server may answer any path with a page. @throws HttpRefusal if the answer is not gRPC-Web */
function answerOfApi(response: Response): Response {
  if (response.headers.get('content-type')?.startsWith('application/grpc-web')) return response;
  throw new HttpRefusal(response.status, null);
}
