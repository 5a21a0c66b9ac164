import { counted } from '../../../kit/words/figures.ts';

/** Which way an export writes the boxes of pictures that have an EXIF orientation, and who reads them so. */
export function turnedWords(count: number): string {
  const [have, these] = count === 1 ? ['has', 'Its'] : ['have', 'Their'];
  return (
    `${counted(count, 'image')} ${have} an EXIF orientation. ${these} boxes are written for the upright picture, which ` +
    'programs show that follow EXIF (OpenCV, Ultralytics, CVAT). The files stay as they are. Plain Pillow and ' +
    'torchvision ignore EXIF: turn the files first for them, with ImageOps.exif_transpose for instance.'
  );
}
