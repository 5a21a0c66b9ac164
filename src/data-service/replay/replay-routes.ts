import type { ServiceImpl } from '@connectrpc/connect';
import type { ReplayService } from '../../gen/sightglass/replay/v1/replay_pb.ts';
import { principalOf } from '../access/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { listRecordings } from './list-recordings.ts';
import { streamResults } from './stream-results.ts';

/** What recorded vision services said, to be filtered again. */
export function replayRoutes({ store }: Pick<DataServiceDependencies, 'store'>): ServiceImpl<typeof ReplayService> {
  return {
    async listRecordings({ organizationId }, context) {
      requireOrganization(principalOf(context), organizationId);
      return { recordings: await listRecordings(store, principalOf(context), context.signal) };
    },
    async *streamResults(request, context) {
      requireOrganization(principalOf(context), request.organizationId);
      yield* streamResults(store, request, principalOf(context), context.signal);
    },
  };
}
