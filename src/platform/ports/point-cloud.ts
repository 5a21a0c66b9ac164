// What a point cloud file is read as: by platform/browser in workers/point-cloud, for the page.

/** A point cloud as it is drawn: what a point lacks is null. Lengths are as the file has them, meters with Viam's. */
export interface PointCloud {
  readonly count: number;
  /** x, y, z of each point; those that are not finite are left out */
  readonly positions: Float32Array<ArrayBuffer>;
  /** red, green, blue of each, 0..1 and linear */
  readonly colors: Float32Array<ArrayBuffer> | null;
  readonly intensities: Float32Array<ArrayBuffer> | null;
  /** the lowest and the highest corner */
  readonly bounds: { readonly min: readonly [number, number, number]; readonly max: readonly [number, number, number] };
  /** how many points had no place */
  readonly leftOutCount: number;
}
