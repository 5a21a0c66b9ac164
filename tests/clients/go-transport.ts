import { create, fromBinary, toBinary, type DescMethod } from '@bufbuild/protobuf';
import { ConnectError, type StreamResponse, type Transport, type UnaryResponse } from '@connectrpc/connect';
import { answerFields } from './answer-fields.ts';
import type { ServedHome } from './home.ts';
import { startLines, type Program } from './other-languages.ts';

interface Answer {
  readonly id: number;
  /** in base64 */
  readonly messages: readonly string[];
  /** 0: it succeeded */
  readonly code: number;
  readonly message: string;
}

export interface GoTransport {
  readonly transport: Transport;
  close(): void;
}

/** A transport whose calls are made by the program of `go/call_operations.go`, with the key of a home. */
export async function openGoTransport(
  program: Extract<Program, readonly string[]>,
  { origin, keyId, key }: Pick<ServedHome, 'origin' | 'keyId' | 'key'>,
): Promise<GoTransport> {
  const env = { SIGHTGLASS_ADDRESS: new URL(origin).host, SIGHTGLASS_KEY_ID: keyId, SIGHTGLASS_KEY: key };
  const { child, next, kill } = startLines(program, env);
  await next();
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: unknown): void }>();
  const readAnswers = async (): Promise<never> => {
    for (;;) {
      const answer = JSON.parse(await next()) as Answer;
      waiting.get(answer.id)!.resolve(answer);
      waiting.delete(answer.id);
    }
  };
  readAnswers().catch((error: unknown) => waiting.forEach(({ reject }) => reject(error)));

  let calls = 0;
  /** Sends the messages of a call; returns those of its answer. @throws ConnectError */
  async function send({ parent, name }: DescMethod, messages: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const id = calls++;
    const answered = new Promise<Answer>((resolve, reject) => waiting.set(id, { resolve, reject }));
    const encoded = messages.map((message) => Buffer.from(message).toString('base64'));
    child.stdin!.write(`${JSON.stringify({ id, service: parent.typeName, method: name, messages: encoded })}\n`);
    const { code, message, messages: answers } = await answered;
    // Connect and gRPC use the same numbers for error codes.
    if (code !== 0) throw new ConnectError(message, code);
    return answers.map((answer) => Buffer.from(answer, 'base64'));
  }

  const transport: Transport = {
    async unary(method, _signal, _timeoutMs, _header, input) {
      const [answer] = await send(method, [toBinary(method.input, create(method.input, input))]);
      const response = { ...answerFields(method), stream: false, message: fromBinary(method.output, answer!) } as const;
      return response as UnaryResponse<typeof method.input, typeof method.output>;
    },
    async stream(method, _signal, _timeoutMs, _header, input) {
      const messages: Uint8Array[] = [];
      for await (const message of input) messages.push(toBinary(method.input, create(method.input, message)));
      const answers = async function* () {
        for (const answer of await send(method, messages)) yield fromBinary(method.output, answer);
      };
      const response = { ...answerFields(method), stream: true, message: answers() } as const;
      return response as StreamResponse<typeof method.input, typeof method.output>;
    },
  };
  return { transport, close: kill };
}
