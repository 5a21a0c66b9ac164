export interface PictureFailure {
  readonly index: number;
  readonly fileName: string;
  readonly message: string;
}

export interface ImportCounts {
  readonly count: number;
  readonly newCount: number;
  /** boxes of the images that are new */
  readonly boxCount: number;
  readonly hereCount: number;
  /** images that were stored before with other boxes than the import's, and keep theirs */
  readonly keptCount: number;
  readonly failures: readonly PictureFailure[];
}

export const noCounts = (count: number): ImportCounts => ({
  count,
  newCount: 0,
  boxCount: 0,
  hereCount: 0,
  keptCount: 0,
  failures: [],
});

/** The dataset for the pictures: an existing one, a new one, or none if the annotations are for stored images. */
export type ImportTarget = { readonly datasetId: string } | { readonly newName: string } | 'none';

/** The step that an import is at. */
export type ImportStep =
  | { readonly kind: 'choose' }
  | { readonly kind: 'opening'; readonly imageCount: number }
  /** the files cannot be imported, for this reason */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'preview' }
  | { readonly kind: 'importing'; readonly counts: ImportCounts }
  | ({ readonly kind: 'done'; readonly isStopped: boolean } & ImportOutcome)
  | { readonly kind: 'undoing'; readonly fraction: number }
  | { readonly kind: 'undone'; readonly failure: string };

/** The actions on an import, with the steps at which each is allowed. */
const allowedAt = {
  /** opening files, or discarding the opened ones */
  open: ['choose', 'opening', 'refused', 'preview', 'done', 'undone'],
  /** reading the opened files as another format */
  read: ['refused', 'preview'],
  start: ['preview'],
  again: ['done'],
  undo: ['done'],
} as const satisfies Record<string, readonly ImportStep['kind'][]>;

/** @throws Error if the action is not allowed at this step. The page offers it only where it is. */
export function requireStep<Action extends keyof typeof allowedAt>(
  action: Action,
  step: ImportStep,
): asserts step is Extract<ImportStep, { readonly kind: (typeof allowedAt)[Action][number] }> {
  const kinds: readonly ImportStep['kind'][] = allowedAt[action];
  if (!kinds.includes(step.kind)) throw new Error(`An import cannot ${action} at the step "${step.kind}".`);
}

export interface ImportOutcome {
  readonly counts: ImportCounts;
  /** null = none */
  readonly datasetId: string | null;
  /** whether stored images were annotated, which can be undone */
  readonly isJoin: boolean;
}
