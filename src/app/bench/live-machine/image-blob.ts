import type { LiveImage } from '../../../live-machine/live-machine.ts';

/** A machine's image as a file, its bytes as they came. */
export const imageBlob = ({ bytes, mediaType }: LiveImage): Blob => new Blob([bytes], { type: mediaType });
