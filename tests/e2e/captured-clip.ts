import type { Page } from 'playwright';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { openDataClient } from './data-client.ts';

const startMs = Date.UTC(2026, 4, 28, 12);
/** how many images */
export const capturedCount = 6;

/** Uploads captures of a camera, each with a box that names it, and a reading. */
export async function uploadCaptures(page: Page): Promise<void> {
  await openDataClient(page);
  await page.evaluate(
    async ([startMs, count, types]) => {
      const { client, home } = pageData;
      const value = new Uint8Array(await (await fetch('builtin/frames/sample1.jpg')).arrayBuffer());
      for (let at = 0; at < count; at++) {
        const seconds = BigInt(startMs / 1000 + at);
        const corners = { xMinNormalized: 0.1, yMinNormalized: 0.2, xMaxNormalized: 0.4, yMaxNormalized: 0.7 };
        await client.sync.dataCaptureUpload({
          metadata: {
            partId: home.partId,
            componentType: 'rdk:component:camera',
            componentName: 'front',
            methodName: 'GetImages',
            type: types.image,
            fileExtension: '.jpg',
            fileName: `frame ${at + 1}.jpg`,
          },
          sensorContents: [
            {
              metadata: {
                timeRequested: { seconds },
                annotations: { bboxes: [{ label: `face ${at + 1}`, ...corners }] },
              },
              data: { case: 'binary', value },
            },
          ],
        });
      }
      await client.sync.dataCaptureUpload({
        metadata: {
          partId: home.partId,
          componentType: 'rdk:component:sensor',
          componentName: 'scale',
          methodName: 'Readings',
          type: types.reading,
        },
        sensorContents: [
          {
            metadata: { timeRequested: { seconds: BigInt(startMs / 1000) } },
            data: { case: 'struct', value: { readings: { kg: 1 } } },
          },
        ],
      });
    },
    [startMs, capturedCount, { image: DataType.BINARY_SENSOR, reading: DataType.TABULAR_SENSOR }] as const,
  );
}
