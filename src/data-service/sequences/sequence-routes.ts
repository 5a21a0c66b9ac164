import type { ServiceImpl } from '@connectrpc/connect';
import type { DataService, UpdateSequenceRequest } from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import { requireOrganization } from '../access/require-access.ts';
import { requirePart } from '../access/require-part.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { downloadUri } from '../wire/download-address.ts';
import { filesSeenBy } from '../labels/hidden-boxes.ts';
import { positionOf } from '../ports/capture-filter.ts';
import type { Sequence } from '../ports/sequence-store.ts';
import { binaryMetadata } from '../wire/capture-metadata.ts';
import { invalidArgument, requireText } from '../wire/invalid-argument.ts';
import { pageLimit } from '../wire/page-limit.ts';
import { readPage } from '../wire/page-token.ts';
import { createOnce } from './create-once.ts';
import { requireSequence } from './require-sequence.ts';
import { requireResources, requireSequenceTags, requireTime, requireWindow } from './sequence-fields.ts';
import { imagePage } from './sequence-captures.ts';
import { sequencePage, toWire } from './sequence-page.ts';

type SequenceRoutes = Pick<
  ServiceImpl<typeof DataService>,
  'createSequence' | 'getSequence' | 'updateSequence' | 'deleteSequence' | 'listSequences' | 'getSequenceBinaryData'
>;

/** Saved filters over what one part captured in a window of time. */
export function sequenceRoutes(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets' | 'publicOrigin'>,
): SequenceRoutes {
  const { store, clock } = dependencies;
  const { sequences } = store;

  return {
    async createSequence({ partId, resources, sequenceTags, startTime, endTime }, context) {
      const principal = principalOf(context);
      const part = await requirePart(dependencies, principal, partId);
      const now = clock.now();
      const sequence = requireWindow({
        organizationId: part.organizationId,
        partId: part.id,
        resources: requireResources(resources),
        tags: requireSequenceTags(sequenceTags),
        start: requireTime(startTime, 'start_time'),
        end: requireTime(endTime, 'end_time'),
        timeCreated: now,
        timeUpdated: now,
        datasetIds: [],
      });
      return { id: await createOnce(dependencies, sequence) };
    },
    async getSequence({ id }, context) {
      return { sequence: toWire(await requireSequence(store, principalOf(context), id)) };
    },
    async updateSequence(request, context) {
      const id = requireText(request.id, 'id');
      const timeUpdated = clock.now();
      await sequences.edit(principalOf(context).organizationId, [id], (before) =>
        requireWindow({ ...before, ...changesOf(request), timeUpdated }),
      );
      return {};
    },
    async deleteSequence({ id }, context) {
      await sequences.delete(principalOf(context).organizationId, requireText(id, 'id'));
      return {};
    },
    async listSequences({ organizationId, pageSize, pageToken }, context) {
      requireOrganization(principalOf(context), organizationId);
      return sequencePage(store, { organizationId, datasetId: '' }, { pageSize, pageToken });
    },
    async getSequenceBinaryData({ sequenceId, pageSize, pageToken }, context) {
      const principal = principalOf(context);
      const sequence = await requireSequence(store, principal, sequenceId, 'sequence_id');
      const files = filesSeenBy(store, principal);
      const { entries, nextPageToken } = await readPage(
        pageToken,
        pageLimit(BigInt(pageSize), false),
        (after, limit) => imagePage(files, sequence, after, limit, context.signal),
        positionOf,
      );
      return {
        data: entries.map((record) => ({
          metadata: binaryMetadata(record, downloadUri(dependencies, context, record.id)),
        })),
        nextPageToken,
      };
    },
  };
}

/** The fields that a mask may name, and how each is read from a request. */
const changeable: Readonly<Record<string, (request: UpdateSequenceRequest) => Partial<Sequence>>> = {
  resources: ({ resources }) => ({ resources: requireResources(resources) }),
  sequence_tags: ({ sequenceTags }) => ({ tags: requireSequenceTags(sequenceTags) }),
  start_time: ({ startTime }) => ({ start: requireTime(startTime, 'start_time') }),
  end_time: ({ endTime }) => ({ end: requireTime(endTime, 'end_time') }),
};

/** The new values of the fields that a request's mask names. @throws ConnectError InvalidArgument */
function changesOf(request: UpdateSequenceRequest): Partial<Sequence> {
  const paths = request.fieldMask?.paths ?? [];
  const known = Object.keys(changeable).join(', ');
  if (paths.length === 0) throw invalidArgument(`field_mask is empty; name what to change: ${known}.`);
  const changes = paths.map((path) => {
    if (!Object.hasOwn(changeable, path)) {
      throw invalidArgument(`field_mask names ${JSON.stringify(path)}, which cannot be changed; ${known} can.`);
    }
    return changeable[path]!(request);
  });
  return Object.assign({}, ...changes) as Partial<Sequence>;
}
