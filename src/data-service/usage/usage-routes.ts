import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { StorageService, StoredAmountSchema } from '../../gen/sightglass/storage/v1/storage_pb.ts';
import { principalOf } from '../access/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import type { Summary } from '../ports/capture-filter.ts';

/** What an organization stores: the whole of it also for a key of one location, since that is what its uploads are held to. */
export function usageRoutes({ store }: Pick<DataServiceDependencies, 'store'>): ServiceImpl<typeof StorageService> {
  return {
    async getUsage({ organizationId }, context) {
      requireOrganization(principalOf(context), organizationId);
      const [organization, [stored]] = await Promise.all([
        store.access.getOrganization(organizationId),
        store.usage.of([organizationId]),
      ]);
      const quotaBytes = organization?.quotaBytes;
      return {
        files: amountOf(stored!.files),
        readings: amountOf(stored!.readings),
        ...(quotaBytes !== undefined && { quotaBytes: BigInt(quotaBytes) }),
      };
    },
  };
}

const amountOf = ({ count, totalSizeBytes }: Summary): MessageInitShape<typeof StoredAmountSchema> => ({
  count: BigInt(count),
  bytes: BigInt(totalSizeBytes),
});
