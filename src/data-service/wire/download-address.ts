import type { HandlerContext } from '@connectrpc/connect';
import type { DataServiceDependencies } from '../ports/dependencies.ts';

/** Files are served below this path by their ids: `/data/files/<organization id>/<location id>/<file id>`. */
export const downloadPath = '/data/files/';

/** Where a file is fetched over HTTP, with a token or the headers `key_id` and `key`. */
export const downloadUri = (
  { publicOrigin }: Pick<DataServiceDependencies, 'publicOrigin'>,
  { url, requestHeader }: Pick<HandlerContext, 'url' | 'requestHeader'>,
  binaryDataId: string,
): string => publicOrigin({ url, header: requestHeader }) + pathOf(downloadPath, binaryDataId);

/** The path of a file below `base`. */
export const pathOf = (base: string, binaryDataId: string): string =>
  base + binaryDataId.split('/').map(encodeURIComponent).join('/');

/** The id in a path below `base`; null: none. */
export function idOfPath(base: string, path: string): string | null {
  if (!path.startsWith(base) || path.length === base.length) return null;
  try {
    return path.slice(base.length).split('/').map(decodeURIComponent).join('/');
  } catch {
    return null;
  }
}
