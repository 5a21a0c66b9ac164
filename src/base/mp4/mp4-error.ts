/** Why a file is not read as MP4, in words that follow "because". */
export class Mp4Error extends Error {
  override readonly name = 'Mp4Error';
}
