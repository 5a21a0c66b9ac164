import { counted } from '../../../../kit/words/figures.ts';

/** Says how an export orients the boxes of pictures with an EXIF orientation, and which tools expect that. */
export function turnedWords(count: number): string {
  const [have, these] = count === 1 ? ['has', 'Its'] : ['have', 'Their'];
  return (
    `${counted(count, 'image')} ${have} an EXIF orientation. ${these} boxes are written for the upright picture, which ` +
    'programs show that follow EXIF (OpenCV, Ultralytics, CVAT). The files stay as they are. Plain Pillow and ' +
    'torchvision ignore EXIF: turn the files first for them, with ImageOps.exif_transpose for instance.'
  );
}
