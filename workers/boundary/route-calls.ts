/** The operations of a worker: each returns a promise. */
export type Operations<Api> = Record<keyof Api, (...given: never[]) => Promise<unknown>>;

type Route = (operation: string, given: readonly unknown[]) => Promise<unknown>;
type AnyApi = Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>;

/**
 * An api whose operations are all passed to `route`, so that what the boundary adds to every call is written once.
 */
export function routeCalls<Api extends Operations<Api>>(route: Route): Api {
  return new Proxy({} as Api, {
    get: (_, operation) =>
      // `await` asks an object for `then`: an api must not look like a promise.
      typeof operation === 'string' && operation !== 'then'
        ? (...given: unknown[]) => route(operation, given)
        : undefined,
  });
}

/** Calls an operation by its name. */
export function callByName<Api extends Operations<Api>>(
  api: Api,
  operation: string,
  given: readonly unknown[],
): Promise<unknown> {
  return (api as unknown as AnyApi)[operation]!(...given);
}
