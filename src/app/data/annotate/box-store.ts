import type { KeptImageBox } from './annotated-box.ts';
import type { BoxOperation } from './box-operations.ts';

/** Where the boxes of one image are kept. */
export interface BoxStore {
  /** The boxes as they are kept now. @throws BoxStoreError */
  load(): Promise<readonly KeptImageBox[]>;
  /**
   * Carries out one operation and gives the id that the box has now. `before` is what the service keeps of it.
   * @throws BoxStoreError
   */
  apply(operation: BoxOperation, before: KeptImageBox | null): Promise<string>;
}

/** `unavailable`: later it may work; `refused`: not as it is; `missing`: the image is gone. */
export type BoxStoreErrorCode = 'unavailable' | 'refused' | 'missing';

/** Why boxes could not be read or written, in words for the person at the page. */
export class BoxStoreError extends Error {
  override readonly name = 'BoxStoreError';
  readonly code: BoxStoreErrorCode;
  constructor(code: BoxStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
