/** Files a second, round by round. */
export interface UploadSpeeds {
  readonly service: readonly number[];
  /** puts that are on the disk when they resolve, as uploads are */
  readonly bareSynced: readonly number[];
  /** puts as the browser does them unless told: it may lose the last ones with the power */
  readonly bare: readonly number[];
}
