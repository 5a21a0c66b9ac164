import type { KeptImageBox } from './annotated-box.ts';
import type { BoxOperation } from './box-operations.ts';

/** Stores the boxes of one image. */
export interface BoxStore {
  /** The stored boxes. @throws BoxStoreError */
  load(): Promise<readonly KeptImageBox[]>;
  /**
   * Executes one operation and returns the id that the box has now. `before`: the box as the service stores it.
   * @throws BoxStoreError
   */
  apply(operation: BoxOperation, before: KeptImageBox | null): Promise<string>;
}

/**
 * `unavailable`: it may work later; `refused`: it will not work unchanged; `missing`: the image was deleted; `changed`: others changed
 * the box meanwhile, so the boxes are to be read again.
 */
export type BoxStoreErrorCode = 'unavailable' | 'refused' | 'missing' | 'changed';

/** Why boxes could not be read or written, in words for the user. */
export class BoxStoreError extends Error {
  override readonly name = 'BoxStoreError';
  readonly code: BoxStoreErrorCode;
  constructor(code: BoxStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
