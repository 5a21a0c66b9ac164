/** One label of a scheme: what is drawn, and how. */
export interface SchemeLabel {
  readonly name: string;
  /** "#1f77b4"; '': the app chooses one */
  readonly color: string;
  readonly description: string;
  readonly attributes: readonly SchemeAttribute[];
  /** id of an image that shows it; '': none */
  readonly exampleBinaryDataId: string;
}

export interface SchemeAttribute {
  readonly name: string;
  readonly values: readonly string[];
}

/** A label of this name, of which nothing more is said. */
export const plainLabel = (name: string): SchemeLabel => ({
  name,
  color: '',
  description: '',
  attributes: [],
  exampleBinaryDataId: '',
});

/** "#1F77B4" → "#1f77b4"; '' for what is no such colour. */
export const schemeColor = (text: unknown): string =>
  typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : '';

/** A label of a dataset that a model calls by another name. */
export interface LabelPair {
  /** in the dataset */
  readonly label: string;
  readonly modelLabel: string;
}
