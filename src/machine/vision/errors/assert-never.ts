/**
 * Fails to compile where a case of a union is not handled; at run time names the value that slipped past the types.
 * @param value what no case of the union handled
 * @throws Error always
 * @example
 * assertNever('fisheye' as never); // throws: Unhandled case: "fisheye"
 */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
