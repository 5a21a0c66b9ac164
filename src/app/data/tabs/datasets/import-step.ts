export interface PictureFailure {
  readonly index: number;
  readonly fileName: string;
  readonly message: string;
}

export interface ImportCounts {
  readonly count: number;
  readonly newCount: number;
  readonly hereCount: number;
  /** of those that were here: have other boxes than the import, and keep them */
  readonly keptCount: number;
  readonly failures: readonly PictureFailure[];
}

export const noCounts = (count: number): ImportCounts => ({
  count,
  newCount: 0,
  hereCount: 0,
  keptCount: 0,
  failures: [],
});

/** The dataset that pictures go into: one that is there, or a new one; stored images that are annotated need none. */
export type ImportTarget = { readonly datasetId: string } | { readonly newName: string } | 'none';

/** How far an import is. */
export type ImportStep =
  | { readonly kind: 'choose' }
  | { readonly kind: 'opening'; readonly imageCount: number }
  /** nothing can come of it; why */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'preview' }
  | { readonly kind: 'importing'; readonly counts: ImportCounts }
  | ({ readonly kind: 'done'; readonly isStopped: boolean } & ImportOutcome)
  | { readonly kind: 'undoing'; readonly fraction: number }
  | { readonly kind: 'undone'; readonly failure: string };

/** What can be done with an import, and at which steps. */
const allowedAt = {
  /** opening of files, or giving up what was opened */
  open: ['choose', 'opening', 'refused', 'preview', 'done', 'undone'],
  /** reading the opened files in another way */
  read: ['refused', 'preview'],
  start: ['preview'],
  again: ['done'],
  undo: ['done'],
} as const satisfies Record<string, readonly ImportStep['kind'][]>;

/** @throws Error where the import is at a step at which this cannot be done: the page offers it at the others only */
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
