/** Fails to compile where a case of a union is not handled; at run time names the value that slipped past the types. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
