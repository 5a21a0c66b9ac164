import { createGrpcTransport } from '@connectrpc/connect-node';
import type {} from '@viamrobotics/sdk'; // declares the option

/**
 * Lets the Viam SDK send streams, by its documented option: gRPC over HTTP/2 of Connect 1, which lies beside this file.
 * Its calls are told to `note` by name. Returns what takes the option back.
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
