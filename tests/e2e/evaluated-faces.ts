import type { Page } from 'playwright';
import { facesOfFirstSample } from './bench-page.ts';
import { openDataClient, uploadSample } from './data-client.ts';

/** Adds a box, in pixels of the stored image, to its truth. */
export const addTruth = (page: Page, binaryDataId: string, label: string, box: (typeof facesOfFirstSample)[number]) =>
  page.evaluate(
    async ([id, name, { xMin, yMin, xMax, yMax }]) => {
      const bitmap = await createImageBitmap(await (await fetch('builtin/frames/sample1.jpg')).blob());
      await pageData.client.data.addBoundingBoxToImageByID({
        binaryDataId: id,
        label: name,
        xMinNormalized: xMin / bitmap.width,
        yMinNormalized: yMin / bitmap.height,
        xMaxNormalized: xMax / bitmap.width,
        yMaxNormalized: yMax / bitmap.height,
      });
    },
    [binaryDataId, label, box] as const,
  );

/** Creates a dataset with the first sample: truth for two of its three faces, and a hat, which no model here detects. */
export async function storeFaces(page: Page): Promise<string> {
  await openDataClient(page);
  const binaryDataId = await uploadSample(page);
  await addTruth(page, binaryDataId, 'face', facesOfFirstSample[0]);
  await addTruth(page, binaryDataId, 'face', facesOfFirstSample[1]);
  await addTruth(page, binaryDataId, 'hat', { xMin: 10, yMin: 10, xMax: 90, yMax: 60 } as never);
  await storeDataset(page, 'Faces', [binaryDataId]);
  return binaryDataId;
}

export const storeDataset = (page: Page, name: string, binaryDataIds: readonly string[]): Promise<void> =>
  page.evaluate(
    async ([title, ids]) => {
      const { client, home } = pageData;
      const { id } = await client.datasets.createDataset({ name: title, organizationId: home.organizationId });
      await client.data.addBinaryDataToDatasetByIDs({ binaryDataIds: [...ids], datasetId: id });
    },
    [name, binaryDataIds] as const,
  );
