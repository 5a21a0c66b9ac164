/** What a worker can be asked: each operation answers with a promise. */
export type Operations<Api> = Record<keyof Api, (...given: never[]) => Promise<unknown>>;

type Route = (operation: string, given: readonly unknown[]) => Promise<unknown>;
type AnyApi = Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>;

/** An api whose operations are all answered by `route`: what a boundary adds to every call is written once. */
export function routeCalls<Api extends Operations<Api>>(route: Route): Api {
  return new Proxy({} as Api, {
    get: (_, operation) =>
      // An api is no promise: who awaits it asks for `then`.
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
