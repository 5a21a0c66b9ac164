import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { authenticateDownload } from '../data-service/downloads/authenticate-download.ts';
import { download, type DownloadResponse } from '../data-service/downloads/download.ts';
import type { DataServiceDependencies } from '../data-service/dependencies.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import { answerText, cut, headersOf, type Request, type Response } from './exchange.ts';

/** Answers a request for a file. Wrong keys count as attempts to authenticate from `address`: each costs a slow hash. */
export async function sendDownload(
  dependencies: DataServiceDependencies,
  attempts: AttemptLimit,
  address: string,
  request: Request,
  response: Response,
): Promise<void> {
  const header = headersOf(request);
  const bringsKey = header.has('key');
  if (bringsKey && !attempts.allows(address)) {
    response.setHeader('retry-after', String(attempts.retryAfterSeconds));
    return answerText(response, 429, `Too many wrong keys; try again in ${attempts.retryAfterSeconds} s.`);
  }
  const authenticate = (sent: Headers) => authenticateDownload(dependencies, sent);
  const answer = await download(
    { ...dependencies, authenticate },
    { method: request.method!, pathAndQuery: request.url!, header },
  );
  if (bringsKey && answer.status === 401) attempts.take(address);
  (response as ServerResponse).writeHead(answer.status, Object.fromEntries(answer.header));
  await sendBody(answer, request, response as ServerResponse);
}

async function sendBody({ body }: DownloadResponse, request: Request, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    for await (const chunk of body ?? []) {
      if (gone.signal.aborted) return; // leaving the loop closes the file
      if (!response.write(chunk)) await once(response, 'drain', { signal: gone.signal });
    }
    response.end();
  } catch (error) {
    if (gone.signal.aborted) return;
    cut(request, response);
    throw error;
  }
}
