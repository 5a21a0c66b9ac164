import { timeText } from '../../../kit/words/figures.ts';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { DataContext } from '../../context/data-context.ts';

/** A link to a stored file that works without a key until it expires. */
export interface SignedLink {
  readonly url: string;
  /** time of its expiry, as the page writes times */
  readonly until: string;
  /** why it does not work here; null: it works */
  readonly trouble: string | null;
}

/** Creates a link to a stored file; 0 minutes: the service's default of 15. @throws ConnectError */
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
