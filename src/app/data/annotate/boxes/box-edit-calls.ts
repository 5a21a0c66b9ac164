import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { BoxSchema } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { labelClientOf } from '../../shared/work/label-client.ts';
import { cornersOf, type KeptImageBox, type TrackedBox } from './annotated-box.ts';
import { changedFields, type BoxOperation } from './box-operations.ts';
import { BoxStoreError } from './box-store.ts';

/** The services that have no EditBoxes. */
const withoutEdits = new WeakSet<Transport>();

/** A box as messages of the label service have it. */
export const labelBox = (box: TrackedBox, id = ''): MessageInitShape<typeof BoxSchema> => ({
  id,
  label: box.label,
  ...cornersOf(box),
  ...(box.confidence !== null && { confidence: box.confidence }),
});

/**
 * Executes an operation only if the box is still as it was seen; resolves to the id that the box has now, or null if the
 * service cannot do that.
 * @throws ConnectError
 * @throws BoxStoreError `changed`: the box is otherwise now
 */
export async function editBox(
  { transport }: Pick<DataContext, 'transport'>,
  binaryDataId: string,
  operation: BoxOperation,
  before: KeptImageBox | null,
): Promise<string | null> {
  const id = 'id' in operation ? operation.id : '';
  if (withoutEdits.has(transport) || (id !== '' && before === null)) return null;
  const edit = {
    id,
    ...(before && id !== '' && { expected: labelBox(before, id) }),
    ...(operation.kind !== 'remove' && { box: labelBox(operation.box, id) }),
  };
  try {
    const { results } = await labelClientOf({ transport }).editBoxes({ binaryDataId, edits: [edit] });
    const [result] = results;
    // A box that another person removed meanwhile is in the wanted state.
    if (result?.conflict && !(operation.kind === 'remove' && !result.box))
      throw new BoxStoreError('changed', 'The box was changed elsewhere meanwhile.');
    return result?.id ?? id;
  } catch (error) {
    if (error instanceof BoxStoreError || ConnectError.from(error).code !== Code.Unimplemented) throw error;
    withoutEdits.add(transport);
    return null;
  }
}

/** Executes an operation by the calls that every data service has. @throws ConnectError */
export async function editByPublicCalls(
  data: DataContext['data'],
  binaryDataId: string,
  operation: BoxOperation,
  before: KeptImageBox | null,
): Promise<string> {
  const add = async ({ label, confidence, ...box }: TrackedBox): Promise<string> => {
    const added = { binaryDataId, label, ...cornersOf(box), ...(confidence !== null && { confidence }) };
    return (await data.addBoundingBoxToImageByID(added)).bboxId;
  };
  const remove = async (bboxId: string): Promise<string> => {
    await data.removeBoundingBoxFromImageByID({ binaryDataId, bboxId }).catch((error: unknown) => {
      // A box that another person removed meanwhile is in the wanted state.
      if (ConnectError.from(error).code !== Code.NotFound) throw error;
    });
    return bboxId;
  };
  switch (operation.kind) {
    case 'add':
      return add(operation.box);
    case 'update': {
      const fields = before ? changedFields(before, operation.box) : operation.box;
      const { label, confidence, xMinNormalized } = fields;
      if (Object.keys(fields).length > 0)
        await data.updateBoundingBox({
          binaryDataId,
          bboxId: operation.id,
          ...(label !== undefined && { label }),
          ...(typeof confidence === 'number' && { confidence }),
          ...(xMinNormalized !== undefined && cornersOf(operation.box)),
        });
      return operation.id;
    }
    case 'replace': {
      const id = await add(operation.box);
      await remove(operation.id);
      return id;
    }
    case 'remove':
      return remove(operation.id);
  }
}
