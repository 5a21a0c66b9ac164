import { create, fromBinary, toBinary, type DescMessage, type DescMethod, type MessageShape } from '@bufbuild/protobuf';
import { ConnectError, type Code, type StreamResponse, type Transport, type UnaryResponse } from '@connectrpc/connect';
import { Metadata, type Client, type ServiceError } from '@grpc/grpc-js';
import { loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader';
import { answerFields } from './answer-fields.ts';

type Method = MethodDefinition<object, object>;

/** The services, loaded by @grpc/proto-loader from this project's .proto files. */
export const packages = loadSync(
  [
    'proto/rpc/v1/auth.proto',
    'app/datasync/v1/data_sync.proto',
    'app/data/v1/data.proto',
    'app/dataset/v1/dataset.proto',
    'app/datapipelines/v1/data_pipelines.proto',
    'sightglass/storage/v1/storage.proto',
    'sightglass/query/v1/query.proto',
    'sightglass/replay/v1/replay.proto',
    'sightglass/audit/v1/audit.proto',
    'sightglass/labels/v1/labels.proto',
    'app/v1/app.proto',
    'app/v1/robot.proto',
    'sightglass/people/v1/people.proto',
  ],
  { includeDirs: ['proto'], oneofs: true },
);

const methodOf = ({ parent, name }: DescMethod): Method =>
  (packages[parent.typeName] as ServiceDefinition)[name] as Method;

/**
 * A transport that calls by @grpc/grpc-js with the messages of @grpc/proto-loader: a typed message is serialized, and the
 * bytes are parsed to the loader's plain object, which is sent. Answers are converted in the opposite direction.
 */
export function grpcJsTransport(client: Client, authorization: string | null): Transport {
  const metadata = new Metadata();
  if (authorization !== null) metadata.set('authorization', authorization);
  const outOf = (definition: Method, message: MessageShape<DescMessage>, { input }: DescMethod): object =>
    definition.requestDeserialize(Buffer.from(toBinary(input, message)));
  const into = <Output extends DescMessage>(definition: Method, answer: object, output: Output): MessageShape<Output> =>
    fromBinary(output, definition.responseSerialize(answer));
  // Connect and gRPC use the same numbers for error codes.
  const failed = ({ details, code }: ServiceError): ConnectError => new ConnectError(details, code as number as Code);

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
      const response = {
        ...answerFields(method),
        stream: false,
        message: into(definition, answer, method.output),
      } as const;
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
      const response = { ...answerFields(method), stream: true, message: answers() } as const;
      return response as StreamResponse<typeof method.input, typeof method.output>;
    },
  };
}
