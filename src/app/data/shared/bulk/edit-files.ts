import type { BinaryMetadata } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import type { UndoStep } from '../../../kit/edits/bulk-edits.svelte.ts';

/** An edit that knows what it changed: undoing it leaves a tag on the files that had it before. */
interface RecordedEdit {
  readonly edit: EditFiles;
  readonly undoSteps: () => readonly UndoStep[];
}

type Data = Pick<DataContext, 'data'>;
/** Edits some files, all of them or none. Rejects with ConnectError. */
type EditFiles = (ids: readonly string[]) => Promise<unknown>;

export const addTags =
  ({ data }: Data, tags: readonly string[]): EditFiles =>
  (ids) =>
    data.addTagsToBinaryDataByIDs({ binaryDataIds: [...ids], tags: [...tags] });

export const removeTags =
  ({ data }: Data, tags: readonly string[]): EditFiles =>
  (ids) =>
    data.removeTagsFromBinaryDataByIDs({ binaryDataIds: [...ids], tags: [...tags] });

export const addToDataset =
  ({ data }: Data, datasetId: string): EditFiles =>
  (ids) =>
    data.addBinaryDataToDatasetByIDs({ binaryDataIds: [...ids], datasetId });

export const removeFromDataset =
  ({ data }: Data, datasetId: string): EditFiles =>
  (ids) =>
    data.removeBinaryDataFromDatasetByIDs({ binaryDataIds: [...ids], datasetId });

/**
 * @param values tags, or ids of datasets
 * @param valuesOf those that a file has
 * @param isAdding whether files get the values, or lose them
 */
function recorded(
  { data }: Data,
  values: readonly string[],
  valuesOf: (metadata: BinaryMetadata) => readonly string[],
  isAdding: boolean,
  [edit, undo]: readonly [EditFiles, (value: string) => EditFiles],
): RecordedEdit {
  const changed = new Map(values.map((value) => [value, [] as string[]]));
  return {
    async edit(ids) {
      const before = await data.binaryDataByIDs({ binaryDataIds: [...ids], includeBinary: false });
      await edit(ids);
      for (const { metadata } of before.data)
        for (const [value, files] of changed)
          if (metadata && valuesOf(metadata).includes(value) !== isAdding) files.push(metadata.binaryDataId);
    },
    undoSteps: () => [...changed].flatMap(([value, ids]) => (ids.length > 0 ? [{ ids, edit: undo(value) }] : [])),
  };
}

const tagsOf = ({ captureMetadata }: BinaryMetadata): readonly string[] => captureMetadata?.tags ?? [];
const datasetsOf = ({ datasetIds }: BinaryMetadata): readonly string[] => datasetIds;

export const recordedTagging = (context: Data, tags: readonly string[]): RecordedEdit =>
  recorded(context, tags, tagsOf, true, [addTags(context, tags), (tag) => removeTags(context, [tag])]);

export const recordedUntagging = (context: Data, tags: readonly string[]): RecordedEdit =>
  recorded(context, tags, tagsOf, false, [removeTags(context, tags), (tag) => addTags(context, [tag])]);

export const recordedAdding = (context: Data, id: string): RecordedEdit =>
  recorded(context, [id], datasetsOf, true, [addToDataset(context, id), () => removeFromDataset(context, id)]);

export const recordedRemoving = (context: Data, id: string): RecordedEdit =>
  recorded(context, [id], datasetsOf, false, [removeFromDataset(context, id), () => addToDataset(context, id)]);
