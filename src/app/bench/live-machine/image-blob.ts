import type { LiveImage } from '../../../remote/live-machine/live-machine.ts';

/** A machine's image as a Blob with unchanged bytes. */
export const imageBlob = ({ bytes, mediaType }: LiveImage): Blob => new Blob([bytes], { type: mediaType });
