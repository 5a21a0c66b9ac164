import type { KeptImage } from '../../../capture/kept-image.ts';
import { sequenceTag } from '../../../datasets/tracks/sequences.ts';

const videoFile = /\.(mp4|m4v|mov|webm|mkv|avi|ogv)$/i;

/**
 * The tag that makes frames of one video, or of one burst of a camera, a sequence: boxes can be tracked over it. A picture of
 * a file is in none, and neither is a frame of a camera that was kept alone.
 *
 * @param burstStartedMs ms since 1970; null = of no burst
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
