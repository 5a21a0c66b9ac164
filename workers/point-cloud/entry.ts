import { readPcd } from '../../src/platform/browser/read-pcd.ts';
import type { PointCloudAnswer, PointCloudQuestion } from './protocol.ts';

self.onmessage = async ({ data }: MessageEvent<PointCloudQuestion>) => {
  try {
    const cloud = readPcd(await data.file.arrayBuffer());
    const buffers = [cloud.positions, cloud.colors, cloud.intensities].flatMap((values) =>
      values ? [values.buffer] : [],
    );
    self.postMessage({ cloud } satisfies PointCloudAnswer, { transfer: buffers });
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    self.postMessage({ failure } satisfies PointCloudAnswer);
  }
};
