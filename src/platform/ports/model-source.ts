// What the page, the vision worker and the platform call the place of a model.

export type BuiltinModelId = 'face-detector' | 'face-classifier' | 'object-detector';

/** The place of a model's bytes. */
export type ModelSource =
  /** `beside` are files given together with it, its weights among them where it keeps those outside */
  | { readonly kind: 'file'; readonly file: File; readonly beside?: readonly File[] }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'builtin'; readonly id: BuiltinModelId }
  | { readonly kind: 'stored'; readonly sha256: string };

/** A model service of a live machine, which runs its model there: no file of it is ever seen here. */
export interface LiveModelSource {
  readonly kind: 'live';
  /** address of the machine, without a slash at its end */
  readonly url: string;
  /** name of the model service */
  readonly modelName: string;
  /** held in memory, told to workers of this page, and to nobody else; null = the machine asks for none */
  readonly key: { readonly id: string; readonly secret: string } | null;
  /** name of the BroadcastChannel by which workers call the machine, if only the page can; absent: they call `url` */
  readonly channel?: string;
}

/** Whatever a vision service can run. */
export type AnyModelSource = ModelSource | LiveModelSource;
