import type { PointCloud } from '../../src/ports/point-cloud.ts';

export interface PointCloudQuestion {
  readonly file: Blob;
}

export type PointCloudAnswer = { readonly cloud: PointCloud } | { readonly failure: string };
