import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { DataService, Filter } from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { EditSkippingAccepted } from '../labels/accepted-images.ts';
import { editLabels } from '../labels/edit-labels.ts';
import { filesSeenBy } from '../labels/hidden-boxes.ts';
import type { BinaryEdit, EditedBinary } from '../ports/binary-store.ts';
import { binaryPages } from '../pages/binary-pages.ts';
import { binaryDataIds } from '../wire/binary-data-id.ts';
import { binaryFilter } from '../access/read-filter.ts';
import { withinBounds } from '../annotation-rules/annotation-bounds.ts';
import { editPresent } from '../annotation-rules/edit-present.ts';
import { requireNewTags, requireTags } from '../annotation-rules/require-tags.ts';
import { addTags, removedTags, removeTags } from '../annotation-rules/tag-edits.ts';

type TagRoutes = Pick<
  ServiceImpl<typeof DataService>,
  | 'addTagsToBinaryDataByIDs'
  | 'addTagsToBinaryDataByFilter'
  | 'removeTagsFromBinaryDataByIDs'
  | 'removeTagsFromBinaryDataByFilter'
  | 'tagsByFilter'
>;

/** Tags on files: a set each. */
export function tagRoutes({ store }: Pick<DataServiceDependencies, 'store'>): TagRoutes {
  const { binary } = store;
  const editByIds = (
    request: Parameters<typeof binaryDataIds>[0],
    edit: BinaryEdit,
    context: HandlerContext,
  ): Promise<readonly EditedBinary[]> =>
    editLabels(store, principalOf(context), [...new Set(binaryDataIds(request))], edit);

  async function editByFilter(filter: Filter | undefined, edit: BinaryEdit, context: HandlerContext): Promise<number> {
    const principal = principalOf(context);
    let removed = 0;
    const skipping = new EditSkippingAccepted();
    for await (const records of binaryPages(binary, binaryFilter(principal, filter, false), context.signal)) {
      removed += removedTags(
        await editPresent(binary, principal.organizationId, records, skipping.of(withinBounds(edit))),
      );
    }
    skipping.requireNoneSkipped();
    return removed;
  }

  return {
    async addTagsToBinaryDataByIDs(request, context) {
      await editByIds(request, addTags(requireNewTags(request.tags)), context);
      return {};
    },
    async addTagsToBinaryDataByFilter({ filter, tags }, context) {
      await editByFilter(filter, addTags(requireNewTags(tags)), context);
      return {};
    },
    async removeTagsFromBinaryDataByIDs(request, context) {
      const edited = await editByIds(request, removeTags(requireTags(request.tags)), context);
      return { deletedCount: BigInt(removedTags(edited)) };
    },
    async removeTagsFromBinaryDataByFilter({ filter, tags }, context) {
      return { deletedCount: BigInt(await editByFilter(filter, removeTags(requireTags(tags)), context)) };
    },
    async tagsByFilter({ filter }, context) {
      const principal = principalOf(context);
      const files = filesSeenBy(store, principal);
      return { tags: [...(await files.distinctTags(binaryFilter(principal, filter, false)))] };
    },
  };
}
