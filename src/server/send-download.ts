import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { authenticateDownload } from '../data-service/downloads/authenticate-download.ts';
import { download } from '../data-service/downloads/download.ts';
import type { DataServiceDependencies } from '../data-service/dependencies.ts';
import { cut, headersOf, type Request, type Response } from './exchange.ts';
import type { KeyDoor } from './key-door.ts';

/** Answers a request for a file from `address`, whose keys go through the `door`. */
export async function sendDownload(
  dependencies: DataServiceDependencies,
  door: KeyDoor,
  address: string,
  request: Request,
  response: Response,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const header = headersOf(request);
  const verify = door.for(address);
  const authenticate = (sent: Headers) =>
    authenticateDownload(dependencies, sent, (keyId, secret) => verify(keyId, secret, gone.signal));
  try {
    const {
      status,
      header: answered,
      body,
    } = await download(
      { ...dependencies, authenticate },
      { method: request.method!, pathAndQuery: request.url!, header, destination: header.get('sec-fetch-dest') ?? '' },
    );
    const answer = response as ServerResponse;
    answer.writeHead(status, Object.fromEntries(answered));
    for await (const chunk of body ?? []) {
      if (gone.signal.aborted) return; // leaving the loop closes the file
      if (!answer.write(chunk)) await once(answer, 'drain', { signal: gone.signal });
    }
    answer.end();
  } catch (error) {
    if (gone.signal.aborted) return;
    if (response.headersSent) cut(request, response);
    throw error;
  }
}
