// What the page, the vision worker and the platform call the place of a model's bytes.

export type BuiltinModelId = 'face-detector' | 'face-classifier';

export type ModelSource =
  /** `beside` are files given together with it, its weights among them where it keeps those outside */
  | { readonly kind: 'file'; readonly file: File; readonly beside?: readonly File[] }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'builtin'; readonly id: BuiltinModelId }
  | { readonly kind: 'stored'; readonly sha256: string };
