import { localOwner } from '../../../data-service/face/local-home.ts';
import { begun, download } from '../../../data-service/face/files.ts';
import type { DataServiceDependencies } from '../../../data-service/face/hosts.ts';
import { StoreError } from '../../../data-service/face/stores.ts';
import { streamOf } from '../../../base/streams/read-stream.ts';

/**
 * Under this folder beside the page the service worker serves what this browser keeps. It has a name of its own, since
 * the app's host may serve `/data/…` too.
 */
const folder = 'in-browser';

/** What `uri` and signed URLs begin with, from the URL of a call: `<page>/<service>/<operation>`. */
export const localFilesOrigin = (callUrl: string): string => `${callUrl.replace(/\/[^/]+\/[^/]+$/, '')}/${folder}`;

/** The path and query of a file as the data service knows it; null for whatever else the page asks for. */
export function localFilePath(url: string, pageFolder: string): string | null {
  const prefix = pageFolder + folder;
  return url.startsWith(`${prefix}/`) ? url.slice(prefix.length).replace(/#.*$/, '') : null;
}

/** Answers a request for a file that this browser keeps, as a server would. */
export async function answerLocalFile(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets'>,
  { method, headers, destination }: Pick<Request, 'method' | 'headers' | 'destination'>,
  pathAndQuery: string,
): Promise<Response> {
  try {
    const request = { method, pathAndQuery, header: headers, destination };
    const answer = await download({ ...dependencies, authenticate: async () => localOwner }, request);
    const { status, header, body } = await begun(answer, { report: (error: unknown) => reportError(error) });
    return new Response(body && streamOf(body), { status, headers: header });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
    return new Response(`${error.message}\n`, { status: 503, headers: type });
  }
}
