import { truthNames } from '../../../evidence/datasets/label-schemes/label-mapping.ts';
import type { LabelPair } from '../../../evidence/datasets/label-schemes/label-scheme.ts';
import type { RawImage } from '../../../platform/ports/raw-image.ts';
import type { TruthImage } from '../ports/truth-source.ts';
import type { EvaluatedImage } from './evaluated-image.ts';

/** Gives truth the model's names. What was named is the same again: counting takes another list for other truth. */
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

/** The labels of images, of boxes and of whole images, each once. */
export const truthLabelsOf = (images: readonly TruthImage[]): readonly string[] => [
  ...new Set(images.flatMap(({ boxes, labels }) => [...boxes.map(({ label }) => label), ...labels])),
];

/** The labels that results name, each once; null: there are no results. */
export function modelLabelsOf(results: readonly EvaluatedImage[]): readonly string[] | null {
  if (results.length === 0) return null;
  // Results of many images hold one list.
  return [...new Set([...new Set(results.map(({ raw }) => raw.labels))].flat())];
}

/** The second results of images by other names; each list of labels is one list afterwards, too. */
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
