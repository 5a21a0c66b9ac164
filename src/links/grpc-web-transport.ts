import type { Transport } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { HttpRefusal } from '../outbox/read-failure.ts';
import { watchedFetch } from '../outbox/watched-fetch.ts';

/** The way to a server that answers gRPC-Web from any origin. @param url without a slash at its end */
export function grpcWebTransport(url: string): Transport {
  const plain = watchedFetch((input, init) => fetch(input, { ...init, credentials: 'omit' }));
  return createGrpcWebTransport({ baseUrl: url, fetch: async (input, init) => answerOfApi(await plain(input, init)) });
}

/** A web server answers any path with a page of its own, and means well. @throws HttpRefusal of what is no gRPC-Web */
function answerOfApi(response: Response): Response {
  if (response.headers.get('content-type')?.startsWith('application/grpc-web')) return response;
  throw new HttpRefusal(response.status, null);
}
