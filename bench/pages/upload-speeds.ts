/** Files per second, for each round. */
export interface UploadSpeeds {
  readonly service: readonly number[];
  /** puts with strict durability: they resolve after the data is on the disk, as uploads do */
  readonly bareSynced: readonly number[];
  /** puts with the browser's default durability: a power failure may lose the last ones */
  readonly bare: readonly number[];
}
