import type { DataStore } from '../ports/data-store.ts';
import { requireQuota, usedBytes } from '../ports/usage-store.ts';

/**
 * Holds the bytes of an upload's files to the quota of its organization while they come in, so that what has no room fills no disk
 * first. Uploads that are under way do not count each other here; the store does, when it adds their rows.
 * @returns a function to read the content of each file through, whose bytes count together; it throws StoreError `resource-exhausted`
 */
export async function withinQuota(
  { access, usage }: Pick<DataStore, 'access' | 'usage'>,
  organizationId: string,
): Promise<(content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>> {
  const quotaBytes = (await access.getOrganization(organizationId))?.quotaBytes;
  if (quotaBytes === undefined) return (content) => content;
  const storedBytes = (await usage.of([organizationId])).reduce((sum, stored) => sum + usedBytes(stored), 0);
  let receivedBytes = 0;
  return async function* (content) {
    for await (const chunk of content) {
      receivedBytes += chunk.length;
      requireQuota(quotaBytes, storedBytes, receivedBytes);
      yield chunk;
    }
  };
}
