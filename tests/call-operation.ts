import type { DescMethod } from '@bufbuild/protobuf';
import { Code, ConnectError, createConnectRouter } from '@connectrpc/connect';
import { dataServiceRoutes } from '../src/data-service/data-service-routes.ts';
import { collect, startDataService, type Clients } from './data-service-fixture.ts';
import { streamOf } from './upload-packets.ts';

/** The operations that a host serves, by their names: a table of all operations without one of them fails. */
const router = createConnectRouter();
dataServiceRoutes((await startDataService()).dependencies)(router);
export const servedOperations = router.handlers.map(({ method }) => [method.name, method] as const);

/** Calls any method and returns its answer as JSON text, or the name of the code it fails with. */
export async function callOperation(clients: Clients, method: DescMethod, request: object): Promise<string> {
  // Methods by name have no common type; the test is about what comes back.
  const client = clients.of(method.parent) as unknown as Record<string, (input: unknown) => unknown>;
  const input = method.methodKind === 'client_streaming' ? streamOf([request]) : request;
  try {
    const answer = client[method.localName]!(input);
    const result =
      method.methodKind === 'server_streaming' ? await collect(answer as AsyncIterable<unknown>) : await answer;
    return JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  } catch (error) {
    return Code[ConnectError.from(error).code];
  }
}
