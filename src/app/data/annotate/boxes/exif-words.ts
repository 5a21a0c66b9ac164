/** Says how the boxes of a stored picture are oriented if other programs show it rotated; sizes are in pixels. */
export const exifWords =
  ({ width, height }: Pick<ImageBitmap, 'width' | 'height'>) =>
  (turn: string): { readonly message: string; readonly cure: string } => ({
    message:
      `Other programs show this picture turned ${turn} (EXIF orientation). Here it is shown as it is stored, ` +
      `${width} × ${height} px: that is what the machine sees, and the boxes belong to it.`,
    cure: 'An export of a dataset turns the boxes with the picture.',
  });
