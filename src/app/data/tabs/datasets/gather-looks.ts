import type { DatasetClient, PictureLook } from '../../../../../workers/datasets/client.ts';
import type { DataContext } from '../../data-context.ts';
import { fetchBytes, inBatches, type StoredPicture } from './stored-pictures.ts';

interface Ports {
  readonly data: DataContext['data'];
  readonly engine: Pick<DatasetClient, 'knownLooks' | 'look'>;
}

interface Options {
  /** whether pictures that were never looked at are fetched */
  readonly looksAtNew: boolean;
  readonly signal: AbortSignal;
  /** how many are known */
  readonly onProgress: (doneCount: number) => void;
}

const askedAtOnce = 500;

/**
 * What looking at pictures tells, kept from earlier visits or seen now. Stopped or failed, it gives what there is till
 * then, and why it ended.
 */
export async function gatherLooks(
  { data, engine }: Ports,
  pictures: readonly Pick<StoredPicture, 'contentId' | 'mimeType' | 'sizeBytes'>[],
  { looksAtNew, signal, onProgress }: Options,
): Promise<{ readonly looks: ReadonlyMap<string, PictureLook>; readonly failure: unknown }> {
  const looks = new Map<string, PictureLook>();
  try {
    for (let start = 0; start < pictures.length; start += askedAtOnce) {
      const ids = pictures.slice(start, start + askedAtOnce).map(({ contentId }) => contentId);
      for (const [id, look] of await engine.knownLooks(ids)) looks.set(id, look);
    }
    const unseen = looksAtNew ? pictures.filter(({ contentId }) => !looks.has(contentId)) : [];
    for (const batch of inBatches(unseen)) {
      onProgress(looks.size);
      signal.throwIfAborted();
      const ids = batch.map(({ contentId }) => contentId);
      const fetched = await fetchBytes(data, ids, signal);
      const seen = batch.flatMap(({ contentId: id, mimeType }) => {
        const bytes = fetched.get(id);
        return bytes ? [{ id, bytes, mimeType }] : [];
      });
      for (const look of await engine.look(seen)) looks.set(look.id, look);
    }
    return { looks, failure: null };
  } catch (failure) {
    return { looks, failure };
  }
}
