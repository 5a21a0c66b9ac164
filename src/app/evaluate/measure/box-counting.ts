import type { CountedBoxes, EvaluationClient } from '../../../../workers/evaluation/client.ts';
import type { TruthImage } from '../ports/truth-source.ts';
import type { EvaluatedImage } from '../run/evaluated-image.ts';

/** Boxes with their matches: image number i is images[i]. */
export interface Measured extends Omit<CountedBoxes, 'ids'> {
  /** by which the worker knows what it counted */
  readonly serial: number;
  readonly images: readonly EvaluatedImage[];
}

/** Has the evaluation worker count a run. The worker gets each image once, as it comes. */
export class BoxCounting {
  readonly #engine: Pick<EvaluationClient, 'begin' | 'add' | 'count'>;
  /** the images of the run that the worker knows of, and those of them that it was given */
  #order: readonly TruthImage[] | null = null;
  readonly #given = new Set<TruthImage>();
  #serial = 0;

  constructor(engine: Pick<EvaluationClient, 'begin' | 'add' | 'count'>) {
    this.#engine = engine;
  }

  /**
   * Counts what was run so far. A worker that died has forgotten the images: they are given to a new one, once.
   * @param order all images of the run, in its order
   */
  async count(order: readonly TruthImage[], results: readonly EvaluatedImage[]): Promise<Measured> {
    try {
      return await this.#count(order, results);
    } catch {
      this.#order = null;
      return this.#count(order, results);
    }
  }

  async #count(order: readonly TruthImage[], results: readonly EvaluatedImage[]): Promise<Measured> {
    if (order !== this.#order) {
      await this.#engine.begin(order.map(({ id }) => id));
      this.#given.clear();
      this.#order = order;
    }
    const fresh = results.filter(({ image }) => !this.#given.has(image));
    if (fresh.length > 0) {
      await this.#engine.add(fresh.map(({ image: { id, boxes }, raw }) => ({ id, boxes, raw })));
      for (const { image } of fresh) this.#given.add(image);
    }
    const serial = ++this.#serial;
    const { ids, ...counted } = await this.#engine.count(serial);
    const byId = new Map(results.map((result) => [result.image.id, result]));
    return { serial, images: ids.map((id) => byId.get(id)!), ...counted };
  }
}
