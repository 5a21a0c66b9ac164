import { type BoxError, errorKinds } from '../../src/evidence/evaluation/face/sweep.ts';

/** Errors as columns: to copy hundreds of thousands of objects from a worker would hold the page up. */
export interface PackedErrors {
  /** places in `errorKinds` */
  readonly kinds: Uint8Array;
  readonly detectionRows: Int32Array;
  readonly truthRows: Int32Array;
}

/**
 * @param errors in their order
 * @returns the same as columns
 */
export const packErrors = (errors: readonly BoxError[]): PackedErrors => ({
  kinds: Uint8Array.from(errors, ({ kind }) => errorKinds.indexOf(kind)),
  detectionRows: Int32Array.from(errors, ({ detectionRow }) => detectionRow),
  truthRows: Int32Array.from(errors, ({ truthRow }) => truthRow),
});

/**
 * @param packed of `packErrors`
 * @returns the errors in their order
 */
export const unpackErrors = ({ kinds, detectionRows, truthRows }: PackedErrors): readonly BoxError[] =>
  Array.from(kinds, (kind, at) => ({
    kind: errorKinds[kind]!,
    detectionRow: detectionRows[at]!,
    truthRow: truthRows[at]!,
  }));
