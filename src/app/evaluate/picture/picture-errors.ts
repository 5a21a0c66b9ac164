import type { ThumbnailClient } from '../../../../workers/thumbnails/client.ts';
import type { PicturedError } from '../../../evidence/evaluation/face/report.ts';
import type { DrawnError } from '../measure/error-subject.ts';

/**
 * Puts small copies of the images to errors, as data: URLs. An image that was deleted or cannot be read has none.
 *
 * @param bytesOf the bytes of stored images by id
 */
export async function pictureErrors(
  errors: readonly DrawnError[],
  bytesOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>>,
  { draw }: Pick<ThumbnailClient, 'draw'>,
): Promise<readonly PicturedError[]> {
  const stored = [...(await bytesOf([...new Set(errors.map(({ image }) => image.id))]))];
  const pictures = await Promise.all(draw(stored.map(([id, bytes]) => ({ id, bytes, mimeType: '' }))));
  const byId = new Map(stored.map(([id], at) => [id, pictures[at]!]));
  return errors.map(({ image, ...error }) => {
    const picture = byId.get(image.id);
    return { ...error, url: typeof picture === 'string' ? picture : null };
  });
}
