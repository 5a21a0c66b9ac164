import { timeText } from '../../../kit/words/figures.ts';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { DataContext } from '../../context/data-context.ts';

/** A link to a stored file that needs no key until it expires. */
export interface SignedLink {
  readonly url: string;
  /** when it expires, as the reader writes times */
  readonly until: string;
  /** why it opens nothing here; null where it works */
  readonly trouble: string | null;
}

/** Makes a link to a stored file; 0 minutes are the service's default of 15. @throws ConnectError */
export async function createSignedLink(
  context: Pick<DataContext, 'data' | 'linkTrouble'>,
  binaryDataId: string,
  expirationMinutes: number,
): Promise<SignedLink> {
  const [{ signedUrl, expiresAt }, trouble] = await Promise.all([
    context.data.createBinaryDataSignedURL({ binaryDataId, expirationMinutes }),
    context.linkTrouble(),
  ]);
  return { url: signedUrl, until: timeText(expiresAt ? timestampMs(expiresAt) : null), trouble };
}
