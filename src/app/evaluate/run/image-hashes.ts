import type { DatasetClient } from '../../../../workers/datasets/client.ts';
import type { Dependence } from '../../../evidence/datasets/face/independence.ts';
import { inBatches } from '../../../base/schedule/in-batches.ts';
import type { TruthImage } from '../ports/truth-source.ts';

/** The worker that scans pictures, as for the health of a dataset. */
export type OpenScans = () => Promise<Pick<DatasetClient, 'dependentPictures' | 'knownScans' | 'scan'>>;

type BytesOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>>;

/** The dependence found between images. */
export interface FoundDependence extends Pick<Dependence, 'basis' | 'alikeCount'> {
  /** by image id; '': the image is on its own */
  readonly groupOf: ReadonlyMap<string, string>;
}

/** The hashes of images, by which it is seen which look alike. */
export class ImageHashes {
  readonly #openScans: OpenScans;
  /** null: the image cannot be decoded */
  readonly #hashes = new Map<string, bigint | null>();

  constructor(openScans: OpenScans) {
    this.#openScans = openScans;
  }

  /** Scans the images that were not looked at, unless an earlier visit did. */
  async look(images: readonly TruthImage[], bytesOf: BytesOf, signal: AbortSignal): Promise<void> {
    const fresh = images.filter(({ id }) => !this.#hashes.has(id));
    if (fresh.length === 0) return;
    const scans = await this.#openScans();
    const known = await scans.knownScans(fresh.map(({ id }) => id));
    for (const [id, { hash }] of known) this.#hashes.set(id, hash);
    for (const batch of inBatches(fresh.filter(({ id }) => !known.has(id)))) {
      signal.throwIfAborted();
      const bytes = await bytesOf(batch.map(({ id }) => id));
      const pictures = [...bytes].map(([id, of]) => ({ id, bytes: of, mimeType: '' }));
      for (const { id, hash } of await scans.scan(pictures)) this.#hashes.set(id, hash);
    }
  }

  /** Which of the images depend on each other, as far as they were looked at. */
  async group(images: readonly TruthImage[], isStated: boolean): Promise<FoundDependence> {
    const hashOf = (id: string): bigint | null => this.#hashes.get(id) ?? null;
    const set = images.map(({ id, name, sequence }) => ({ recorded: sequence, name, hash: hashOf(id) }));
    const { groups, basis, alikeCount } = await (await this.#openScans()).dependentPictures(set, isStated);
    return { basis, alikeCount, groupOf: new Map(images.map(({ id }, at) => [id, groups[at]!])) };
  }
}
