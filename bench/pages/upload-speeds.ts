/** Files a second, round by round. */
export interface UploadSpeeds {
  readonly service: readonly number[];
  readonly bare: readonly number[];
}
