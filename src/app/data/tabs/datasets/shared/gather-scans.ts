import type { DatasetClient } from '../../../../../../workers/datasets/client.ts';
import type { PictureScan } from '../../../../../evidence/datasets/face/health.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { fetchBytes, type StoredPicture } from '../../../annotate/saving/stored-pictures.ts';
import { inBatches } from '../../../../../base/schedule/in-batches.ts';

interface Ports {
  readonly data: DataContext['data'];
  readonly engine: Pick<DatasetClient, 'knownScans' | 'scan'>;
}

interface Options {
  /** whether pictures without a stored result are fetched and scanned */
  readonly scansNew: boolean;
  readonly signal: AbortSignal;
  /** receives the number of known results */
  readonly onProgress: (doneCount: number) => void;
}

const askedAtOnce = 500;

/**
 * Collects the scan results of pictures: stored ones of earlier visits, and new ones if wanted. If it is stopped or
 * fails, it returns the results so far with the reason as `failure`.
 */
export async function gatherScans(
  { data, engine }: Ports,
  pictures: readonly Pick<StoredPicture, 'contentId' | 'mimeType' | 'sizeBytes'>[],
  { scansNew, signal, onProgress }: Options,
): Promise<{ readonly scans: ReadonlyMap<string, PictureScan>; readonly failure: unknown }> {
  const scans = new Map<string, PictureScan>();
  try {
    for (let start = 0; start < pictures.length; start += askedAtOnce) {
      const ids = pictures.slice(start, start + askedAtOnce).map(({ contentId }) => contentId);
      for (const [id, scan] of await engine.knownScans(ids)) scans.set(id, scan);
    }
    const unseen = scansNew ? pictures.filter(({ contentId }) => !scans.has(contentId)) : [];
    for (const batch of inBatches(unseen)) {
      onProgress(scans.size);
      signal.throwIfAborted();
      const ids = batch.map(({ contentId }) => contentId);
      const fetched = await fetchBytes(data, ids, signal);
      const seen = batch.flatMap(({ contentId: id, mimeType }) => {
        const bytes = fetched.get(id);
        return bytes ? [{ id, bytes, mimeType }] : [];
      });
      for (const scan of await engine.scan(seen)) scans.set(scan.id, scan);
    }
    return { scans, failure: null };
  } catch (failure) {
    return { scans, failure };
  }
}
