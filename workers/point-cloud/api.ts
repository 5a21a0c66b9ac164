import { transfer } from 'comlink';
import { readPcd } from '../../src/platform/browser/three/read-pcd.ts';
import type { PointCloud } from '../../src/platform/ports/point-cloud.ts';

export type PointCloudApi = typeof pointCloudApi;

export const pointCloudApi = {
  /**
   * Reads a PCD file; the points are transferred.
   * @throws Error with a message for a person
   */
  async read(file: Blob): Promise<PointCloud> {
    const cloud = readPcd(await file.arrayBuffer());
    const columns = [cloud.positions, cloud.colors, cloud.intensities];
    return transfer(
      cloud,
      columns.flatMap((column) => (column ? [column.buffer] : [])),
    );
  },
};
