import { LinkError } from './link-error.ts';
import type { LiveImage } from './live-machine.ts';

/** The first image that a vision service could read; depths and raw pixels are told by name. @throws LinkError where there is none */
export function firstPicture(images: readonly LiveImage[], cameraName: string): LiveImage {
  const image = images.find(({ mediaType }) => /^image\/(jpeg|png)$/.test(mediaType));
  if (image) return image;
  const kinds = images.map(({ mediaType }) => mediaType || 'an unknown kind').join(', ');
  throw new LinkError(
    'failed',
    images.length === 0 ? `Camera "${cameraName}" gave no image.` : `Camera "${cameraName}" gives ${kinds}.`,
    images.length === 0 ? 'See on the machine whether it works.' : 'Choose a camera that gives JPEG or PNG images.',
  );
}
