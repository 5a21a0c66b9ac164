import { type LabelPair, truthNames } from '../../../evidence/datasets/face/labels.ts';
import type { RawImage } from '../../../platform/ports/raw-image.ts';
import type { TruthImage } from '../ports/truth-source.ts';
import type { EvaluatedImage } from './evaluated-image.ts';

/** Renames the labels of truth to the model's. The same truth gives the same list again, as counting compares lists by identity. */
export class NamedTruth {
  readonly pairs: readonly LabelPair[];
  readonly #nameOf: (label: string) => string;
  readonly #images = new WeakMap<TruthImage, TruthImage>();
  readonly #lists = new WeakMap<readonly unknown[], readonly unknown[]>();

  /** @param pairs in force */
  constructor(pairs: readonly LabelPair[]) {
    this.pairs = pairs;
    this.#nameOf = truthNames(pairs);
  }

  image(image: TruthImage): TruthImage {
    const known = this.#images.get(image);
    if (known) return known;
    const boxes = image.boxes.map((box) => ({ ...box, label: this.#nameOf(box.label) }));
    const named = { ...image, boxes, labels: image.labels.map(this.#nameOf) };
    this.#images.set(image, named);
    return named;
  }

  images(list: readonly TruthImage[]): readonly TruthImage[] {
    return this.#each(list, (image) => this.image(image));
  }

  results(list: readonly EvaluatedImage[]): readonly EvaluatedImage[] {
    return this.#each(list, ({ image, raw }) => ({ image: this.image(image), raw }));
  }

  #each<One>(list: readonly One[], name: (one: One) => One): readonly One[] {
    if (this.pairs.length === 0) return list;
    const known = this.#lists.get(list) ?? list.map(name);
    this.#lists.set(list, known);
    return known as readonly One[];
  }
}

/** The distinct labels of images: those of their boxes, and those of whole images. */
export const truthLabelsOf = (images: readonly TruthImage[]): readonly string[] => [
  ...new Set(images.flatMap(({ boxes, labels }) => [...boxes.map(({ label }) => label), ...labels])),
];

/** The distinct labels that results name; null: there are no results. */
export function modelLabelsOf(results: readonly EvaluatedImage[]): readonly string[] | null {
  if (results.length === 0) return null;
  // The results of all images share one list of labels.
  return [...new Set([...new Set(results.map(({ raw }) => raw.labels))].flat())];
}

/** Renames the labels in the second results of images. A list of labels that results share is renamed once. */
export function withNames<Paired extends { readonly second: RawImage }>(
  images: readonly Paired[],
  nameOf: (label: string) => string,
): readonly Paired[] {
  const named = new Map<readonly string[], readonly string[]>();
  return images.map((one) => {
    const labels = named.get(one.second.labels) ?? one.second.labels.map(nameOf);
    named.set(one.second.labels, labels);
    return { ...one, second: { ...one.second, labels } };
  });
}
