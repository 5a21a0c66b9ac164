import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { DataService, UpdateBoundingBoxRequest } from '../../gen/app/data/v1/data_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { editLabels } from '../labels/edit-labels.ts';
import { filesSeenBy } from '../labels/hidden-boxes.ts';
import type { BinaryEdit } from '../ports/binary-store.ts';
import type { BinaryRecord, BoundingBox } from '../ports/stored-captures.ts';
import { isImage } from '../wire/media-types.ts';
import { oneBinaryDataId } from '../wire/binary-data-id.ts';
import { invalidArgument, notFound, requireText } from '../wire/invalid-argument.ts';
import { binaryFilter } from '../access/read-filter.ts';
import { requireBox } from '../annotation-rules/check-box.ts';

type BoxRoutes = Pick<
  ServiceImpl<typeof DataService>,
  'addBoundingBoxToImageByID' | 'removeBoundingBoxFromImageByID' | 'updateBoundingBox' | 'boundingBoxLabelsByFilter'
>;

/** Boxes around what is seen in a picture, by fractions of its width and height. */
export function boxRoutes({ store, ids }: Pick<DataServiceDependencies, 'store' | 'ids'>): BoxRoutes {
  async function editOne(
    request: Parameters<typeof oneBinaryDataId>[0],
    edit: BinaryEdit,
    context: HandlerContext,
  ): Promise<void> {
    await editLabels(store, principalOf(context), [oneBinaryDataId(request)], edit);
  }

  return {
    async addBoundingBoxToImageByID(request, context) {
      const { label, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized, confidence = null } = request;
      const corners = { xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized };
      const box = requireBox({ id: ids.next(), label, ...corners, confidence });
      await editOne(
        request,
        (record) => {
          if (isImage(record.mimeType)) return { ...record, boundingBoxes: [...record.boundingBoxes, box] };
          throw invalidArgument(`Binary data ${record.id} is of type ${record.mimeType}; only images take boxes.`);
        },
        context,
      );
      return { bboxId: box.id };
    },
    async updateBoundingBox(request, context) {
      const changes = boxChanges(request);
      const edit: BinaryEdit = (record) => {
        const box = requireBox({ ...boxOf(record, request.bboxId), ...changes });
        const boundingBoxes = record.boundingBoxes.map((one) => (one.id === box.id ? box : one));
        return { ...record, boundingBoxes };
      };
      requireText(request.bboxId, 'bbox_id');
      await editOne(request, edit, context);
      return {};
    },
    async removeBoundingBoxFromImageByID(request, context) {
      const edit: BinaryEdit = (record) => {
        const { id } = boxOf(record, request.bboxId);
        return { ...record, boundingBoxes: record.boundingBoxes.filter((box) => box.id !== id) };
      };
      requireText(request.bboxId, 'bbox_id');
      await editOne(request, edit, context);
      return {};
    },
    async boundingBoxLabelsByFilter({ filter }, context) {
      const principal = principalOf(context);
      const files = filesSeenBy(store, principal);
      return { labels: [...(await files.distinctBoxLabels(binaryFilter(principal, filter, false)))] };
    },
  };
}

function boxOf(record: BinaryRecord, boxId: string): BoundingBox {
  const box = record.boundingBoxes.find(({ id }) => id === boxId);
  if (box === undefined) throw notFound(`Binary data ${record.id} has no box ${boxId}.`);
  return box;
}

/** The fields that the request gives; absent ones keep their value. */
function boxChanges(request: UpdateBoundingBoxRequest): Partial<Omit<BoundingBox, 'id'>> {
  const { label, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized, confidence } = request;
  const given = { label, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized, confidence };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
