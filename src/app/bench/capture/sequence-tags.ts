import type { KeptImage } from '../../../evidence/capture/kept-image.ts';
import { sequenceTag } from '../../../evidence/datasets/face/items.ts';

const videoFile = /\.(mp4|m4v|mov|webm|mkv|avi|ogv)$/i;

/**
 * The tag that joins the frames of one video, or of one burst of a camera, to a sequence, in which boxes can be
 * tracked. A picture from a file belongs to none, nor does a single frame of a camera.
 * @param burstStartedMs ms since 1970; null: not part of a burst
 */
export function sequenceTags(
  { info: { name }, encoding }: Pick<KeptImage, 'info' | 'encoding'>,
  burstStartedMs: number | null,
): readonly string[] {
  if (encoding === 'original') return [];
  if (videoFile.test(name)) return [sequenceTag(name)];
  if (burstStartedMs === null) return [];
  return [sequenceTag(`${name} ${new Date(burstStartedMs).toISOString().slice(0, 19).replace('T', ' ')}`)];
}
