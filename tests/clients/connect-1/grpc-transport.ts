import { createGrpcTransport } from '@connectrpc/connect-node';
import type {} from '@viamrobotics/sdk'; // declares the type of the global option

/**
 * Lets the Viam SDK send streams by its documented option for a transport: gRPC over HTTP/2 of Connect 1, installed in this
 * folder. `note` receives the name of each call. Returns a function that removes the option.
 */
export function useGrpcTransport(note: (operation: string) => void): () => void {
  globalThis.VIAM = {
    GRPC_TRANSPORT_FACTORY(options) {
      const { baseUrl } = options as { baseUrl: string };
      const transport = createGrpcTransport({ httpVersion: '2', baseUrl });
      return {
        unary: (service, method, ...call) => {
          note(method.name);
          return transport.unary(service, method, ...call);
        },
        stream: (service, method, ...call) => {
          note(method.name);
          return transport.stream(service, method, ...call);
        },
      };
    },
  };
  return () => {
    globalThis.VIAM = undefined;
  };
}
