import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { StorageService, StoredAmountSchema } from '../../gen/sightglass/storage/v1/storage_pb.ts';
import { principalOf } from '../access/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { everyFileOf, everyReadingOf, type Summary } from '../ports/capture-filter.ts';
import { leftToDelete } from '../ports/deletion-store.ts';
import { everything } from '../access/read-filter.ts';

/**
 * What an organization stores: the whole of it also for a key of one location, since that is what its uploads are held to. A key of one
 * part gets what that part has stored, without the quota.
 */
export function usageRoutes({ store }: Pick<DataServiceDependencies, 'store'>): ServiceImpl<typeof StorageService> {
  return {
    async getUsage({ organizationId }, context) {
      const principal = principalOf(context);
      requireOrganization(principal, organizationId);
      if (principal.partId !== null) {
        const own = everything(principal, true);
        const [files, readings] = await Promise.all([
          store.binary.summarize({ ...everyFileOf(organizationId), ...own }),
          store.tabular.summarize({ ...everyReadingOf(organizationId), ...own }),
        ]);
        return { files: amountOf(files), readings: amountOf(readings), partId: principal.partId };
      }
      const [organization, [stored], toDelete] = await Promise.all([
        store.access.getOrganization(organizationId),
        store.usage.of([organizationId]),
        leftToDelete(store.deletions, organizationId),
      ]);
      const quotaBytes = organization?.quotaBytes;
      return {
        files: amountOf(stored!.files),
        readings: amountOf(stored!.readings),
        labelling: amountOf(stored!.labelling),
        filesToDelete: BigInt(toDelete.files),
        readingsToDelete: BigInt(toDelete.readings),
        ...(quotaBytes !== undefined && { quotaBytes: BigInt(quotaBytes) }),
      };
    },
  };
}

const amountOf = ({ count, totalSizeBytes }: Summary): MessageInitShape<typeof StoredAmountSchema> => ({
  count: BigInt(count),
  bytes: BigInt(totalSizeBytes),
});
