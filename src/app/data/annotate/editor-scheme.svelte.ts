import type { SchemeLabel } from '../../../evidence/datasets/face/labels.ts';
import type { HexColour } from '../../kit/colours/colour-distance.ts';
import type { DataContext } from '../context/data-context.ts';
import { findScheme } from '../shared/work/scheme-labels.ts';

/** The colours that a scheme prescribes, by label in lower case. */
export const coloursOf = (labels: readonly SchemeLabel[] | null): Readonly<Record<string, HexColour>> =>
  Object.fromEntries(
    (labels ?? []).flatMap(({ name, color }) => (color ? [[name.toLowerCase(), color as HexColour]] : [])),
  );

/** The label scheme that is followed on the shown image. */
export class EditorScheme {
  readonly #context: Pick<DataContext, 'transport' | 'data'>;
  /** the datasets whose scheme is followed, as one text; null: none was looked for */
  #followed: string | null = null;
  #looking = new AbortController();
  /** null: there is none */
  labels = $state.raw<readonly SchemeLabel[] | null>(null);

  constructor(context: Pick<DataContext, 'transport' | 'data'>) {
    this.#context = context;
  }

  /** Follows the scheme of a dataset; '': of the first of the image's datasets that has one. */
  async show(imageId: string, datasetId: string): Promise<void> {
    this.#looking.abort();
    const { signal } = (this.#looking = new AbortController());
    try {
      const datasetIds = datasetId ? [datasetId] : await this.#datasetsOf(imageId, signal);
      if (signal.aborted || this.#followed === datasetIds.join(' ')) return;
      const labels = await findScheme(this.#context, datasetIds, signal);
      if (signal.aborted) return;
      [this.#followed, this.labels] = [datasetIds.join(' '), labels];
    } catch {
      // Without a scheme the labels in use are offered; that the service cannot be reached is said by the boxes.
      if (!signal.aborted) [this.#followed, this.labels] = [null, null];
    }
  }

  async #datasetsOf(imageId: string, signal: AbortSignal): Promise<readonly string[]> {
    const binaryDataIds = [imageId];
    const { data } = await this.#context.data.binaryDataByIDs({ binaryDataIds, includeBinary: false }, { signal });
    return data[0]?.metadata?.datasetIds ?? [];
  }
}
