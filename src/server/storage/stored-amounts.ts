import type { Organization } from '../../data-service/face/accounts.ts';
import type { DataStore, Usage } from '../../data-service/face/stores.ts';

/** What an organization stores, and how much it may. */
export interface StoredAmount extends Usage {
  readonly organization: Organization;
  /** null: as much as there is room for */
  readonly quotaBytes: number | null;
}

/** The amounts that every organization has stored now. */
export async function storedAmounts({
  access,
  usage,
}: Pick<DataStore, 'access' | 'usage'>): Promise<readonly StoredAmount[]> {
  const organizations = await access.listOrganizations();
  const stored = await usage.of(organizations.map(({ id }) => id));
  return organizations.map((organization, index) => ({
    organization,
    quotaBytes: organization.quotaBytes ?? null,
    ...stored[index]!,
  }));
}
