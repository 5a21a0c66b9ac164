/** Where the cause of an `Internal` answer goes, since the client is not told it. */
export interface DefectLog {
  report(error: unknown, context: { readonly operation: string }): void;
}
