import { counted } from '../../../kit/words/figures.ts';

/** Which way an export writes the boxes of pictures that have an EXIF orientation, and who reads them so. */
export function turnedWords(count: number): string {
  const [have, these] = count === 1 ? ['has', 'Its'] : ['have', 'Their'];
  return (
    `${counted(count, 'image')} ${have} an EXIF orientation. ${these} boxes are written for the upright picture, as ` +
    'programs show it that follow EXIF (OpenCV, Ultralytics, CVAT); the files are as they were. For readers that ' +
    'ignore EXIF (plain Pillow, torchvision), turn the files first, by ImageOps.exif_transpose for instance.'
  );
}
