import type { ChangingStores, DataStore } from '../ports/data-store.ts';
import type { StoreError } from '../ports/store-error.ts';
import { quotaRefusal, usedBytes } from '../ports/usage-store.ts';
import { refuseGrowth } from './refuse-growth.ts';

/**
 * Stores in which an organization that has used its quota up adds neither readings nor anything to what it has made of its data; files are
 * held to it while they come in (`withinQuota`). Writes that are under way do not count each other, and may pass the quota by what they add.
 */
export function withinQuotas(
  { access, usage }: Pick<DataStore, 'access' | 'usage'>,
  stores: ChangingStores,
): ChangingStores {
  async function refusalOf(organizationId: string): Promise<StoreError | null> {
    const quotaBytes = (await access.getOrganization(organizationId))?.quotaBytes;
    if (quotaBytes === undefined) return null;
    const [stored] = await usage.of([organizationId]);
    return quotaRefusal(quotaBytes, usedBytes(stored!));
  }
  const { tabular, ...others } = refuseGrowth(stores, refusalOf);
  return {
    ...others,
    tabular: {
      ...tabular,
      async insert(rows, ...upload) {
        const refusal = rows[0] === undefined ? null : await refusalOf(rows[0].organizationId);
        if (refusal !== null) throw refusal;
        await tabular.insert(rows, ...upload);
      },
    },
  };
}
