import type { DataContext } from '../../data-context.ts';

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
