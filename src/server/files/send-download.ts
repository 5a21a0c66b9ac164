import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { authenticateDownload, begun, download, type DownloadResponse } from '../../data-service/face/files.ts';
import type { SessionToken, VerifyKey } from '../../data-service/face/access.ts';
import type { DataServiceDependencies } from '../../data-service/face/hosts.ts';
import type { ByteBudget, HeldBytes } from '../limits/byte-budget.ts';
import { answerText, cut, headersOf, type Request, type Response } from '../http/exchange.ts';
import { noteKey } from '../http/shown-key.ts';

/** Bytes that are read at a time. */
const chunkBytes = 2 ** 20;
/** The memory of an export, which is made while it is sent: a page that is read, and a row group that is written. */
const madeBytes = 32 * 2 ** 20;
const retryAfterSeconds = 10;

interface SentDownload {
  readonly verify: VerifyKey;
  /** session of the page of this server that asks; null: no page, or without a session */
  readonly session: SessionToken | null;
  readonly memory: ByteBudget;
}

/** Answers a request for a file from `address`, whose keys `verify` checks, and whose bytes wait in the `memory`. */
export async function sendDownload(
  dependencies: DataServiceDependencies,
  { verify, session, memory }: SentDownload,
  address: string,
  request: Request,
  response: Response,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const header = headersOf(request);
  const authenticate = (sent: Headers) =>
    authenticateDownload(dependencies, sent, (keyId, secret) => verify(keyId, secret, gone.signal), session);
  let held: HeldBytes | null = null;
  try {
    const found = await download(
      { ...dependencies, authenticate },
      {
        method: request.method!,
        pathAndQuery: request.url!,
        header,
        destination: header.get('sec-fetch-dest') ?? '',
        signal: gone.signal,
      },
    );
    if (found.status < 400) noteKey(request);
    held = await memory.hold(address, heldBytes(found), gone.signal);
    if (held === null) {
      response.setHeader('retry-after', retryAfterSeconds);
      return answerText(response, 503, 'The server sends as many files as it has memory for; try again later.');
    }
    const { status, header: answered, body } = await begun(found, dependencies.defects);
    // what a cookie has opened is for pages of this origin alone
    if (session !== null) answered.set('cross-origin-resource-policy', 'same-origin');
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
  } finally {
    held?.release();
  }
}

/** The memory that sending a response takes. */
function heldBytes({ status, header, body }: DownloadResponse): number {
  if (body === null || status >= 400) return 0;
  const length = header.get('content-length');
  return length === null ? madeBytes : Math.min(Number(length), chunkBytes);
}
