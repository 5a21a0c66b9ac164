import { describe, expect, it } from 'vitest';
import { codeOf, startDataService, uploadPicture, uploadReading } from '../../../tests/data-service-fixture.ts';

it('lets an operator annotate and build datasets, and delete no data', async () => {
  const { owner, operator } = await startDataService();
  const { data, datasets } = operator;
  const picture = await uploadPicture(operator);
  const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
  const { bboxId } = await data.addBoundingBoxToImageByID({ binaryDataId: picture, label: 'cup', ...corners });
  await data.updateBoundingBox({ binaryDataId: picture, bboxId, label: 'mug' });
  await data.addTagsToBinaryDataByIDs({ binaryDataIds: [picture], tags: ['checked'] });
  const { id } = await datasets.createDataset({ organizationId: 'a', name: 'mugs' });
  await data.addBinaryDataToDatasetByIDs({ binaryDataIds: [picture], datasetId: id });
  const seen = (await owner.data.binaryDataByIDs({ binaryDataIds: [picture] })).data[0]!.metadata!;
  expect(seen.annotations?.bboxes).toMatchObject([{ label: 'mug' }]);
  expect(seen.captureMetadata?.tags).toContain('checked');
  expect(seen.datasetIds).toEqual([id]);

  expect(await codeOf(data.deleteBinaryDataByIDs({ binaryDataIds: [picture] }))).toBe('PermissionDenied');
  await datasets.deleteDataset({ id });
  expect((await owner.data.binaryDataByIDs({ binaryDataIds: [picture] })).data).toHaveLength(1);
});

describe('a key of one location', () => {
  it('reaches its location and no other', async () => {
    const { owner, local } = await startDataService();
    const inLab = await uploadPicture(owner);
    const inYard = await uploadPicture(local, { partId: 'yard-part' });
    const seen = await local.data.binaryDataByFilter({});
    expect(seen.data.map(({ metadata }) => metadata!.binaryDataId)).toEqual([inYard]);
    await expect(uploadPicture(local)).rejects.toThrow('invalid_argument');
    await expect(local.data.binaryDataByIDs({ binaryDataIds: [inLab] })).rejects.toThrow('permission_denied');
    const filter = { locationIds: ['lab'] };
    await expect(local.data.binaryDataByFilter({ dataRequest: { filter } })).rejects.toThrow('permission_denied');
    await uploadReading(owner, { kg: 1 });
    expect((await local.data.deleteTabularData({ organizationId: 'a' })).deletedCount).toBe(0n);
    expect((await local.data.tagsByFilter({})).tags).toEqual([]);
  });
});
