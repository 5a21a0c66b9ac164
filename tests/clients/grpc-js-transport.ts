import { create, fromBinary, toBinary, type DescMessage, type DescMethod, type MessageShape } from '@bufbuild/protobuf';
import { ConnectError, type Code, type StreamResponse, type Transport, type UnaryResponse } from '@connectrpc/connect';
import { Metadata, type Client, type ServiceError } from '@grpc/grpc-js';
import { loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader';

type Method = MethodDefinition<object, object>;

/** The services as @grpc/proto-loader reads them from this project's own .proto files. */
export const packages = loadSync(
  [
    'proto/rpc/v1/auth.proto',
    'app/datasync/v1/data_sync.proto',
    'app/data/v1/data.proto',
    'app/dataset/v1/dataset.proto',
    'app/datapipelines/v1/data_pipelines.proto',
  ],
  { includeDirs: ['proto'], oneofs: true },
);

const methodOf = ({ parent, name }: DescMethod): Method =>
  (packages[parent.typeName] as ServiceDefinition)[name] as Method;

/**
 * A transport whose calls @grpc/grpc-js makes, with the messages that @grpc/proto-loader makes: a typed message becomes
 * bytes, the bytes become the other's plain object, and that is what is sent. Answers come the same way back.
 */
export function grpcJsTransport(client: Client, authorization: string | null): Transport {
  const metadata = new Metadata();
  if (authorization !== null) metadata.set('authorization', authorization);
  const outOf = (definition: Method, message: MessageShape<DescMessage>, { input }: DescMethod): object =>
    definition.requestDeserialize(Buffer.from(toBinary(input, message)));
  const into = <Output extends DescMessage>(definition: Method, answer: object, output: Output): MessageShape<Output> =>
    fromBinary(output, definition.responseSerialize(answer));
  // Connect and gRPC number their codes alike.
  const failed = ({ details, code }: ServiceError): ConnectError => new ConnectError(details, code as number as Code);
  // What both kinds of answers say beside their message; no scenario reads headers.
  const about = <Described extends DescMethod>(method: Described) => ({
    service: method.parent,
    method,
    header: new Headers(),
    trailer: new Headers(),
  });

  return {
    async unary(method, signal, _timeoutMs, _header, input) {
      const definition = methodOf(method);
      const { path, requestSerialize, responseDeserialize } = definition;
      const message = outOf(definition, create(method.input, input), method);
      const answer = await new Promise<object>((resolve, reject) => {
        const call = client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          message,
          metadata,
          (error, value) => (value === undefined ? reject(failed(error!)) : resolve(value)),
        );
        signal?.addEventListener('abort', () => call.cancel());
      });
      const response = { ...about(method), stream: false, message: into(definition, answer, method.output) } as const;
      return response as UnaryResponse<typeof method.input, typeof method.output>;
    },
    async stream(method, _signal, _timeoutMs, _header, input) {
      const definition = methodOf(method);
      const { path, requestSerialize, responseDeserialize } = definition;
      const asked = async function* () {
        for await (const message of input) yield outOf(definition, create(method.input, message), method);
      };
      const answers = async function* () {
        if (method.methodKind === 'server_streaming') {
          const { value: message } = await asked().next();
          const call = client.makeServerStreamRequest(
            path,
            requestSerialize,
            responseDeserialize,
            message as object,
            metadata,
          );
          try {
            for await (const answer of call) yield into(definition, answer as object, method.output);
          } catch (error) {
            throw failed(error as ServiceError);
          }
          return;
        }
        let call!: ReturnType<typeof client.makeClientStreamRequest<object, object>>;
        const answer = new Promise<object>((resolve, reject) => {
          call = client.makeClientStreamRequest(
            path,
            requestSerialize,
            responseDeserialize,
            metadata,
            (error, value) => (value === undefined ? reject(failed(error!)) : resolve(value)),
          );
        });
        for await (const message of asked()) call.write(message);
        call.end();
        yield into(definition, await answer, method.output);
      };
      const response = { ...about(method), stream: true, message: answers() } as const;
      return response as StreamResponse<typeof method.input, typeof method.output>;
    },
  };
}
