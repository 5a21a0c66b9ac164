import { deserialize, serialize, type Document } from 'bson';
import { catalogCommands } from './catalog-commands.ts';
import type { MongoAnswer, MongoCall, MongoCommand, MongoService } from './command.ts';
import { connectionCommands } from './connection-commands.ts';
import { cursorCommands } from './cursor-commands.ts';
import { MongoError, mongoErrorOf } from './mongo-error.ts';
import { readCommands } from './read-commands.ts';
import { isRefused, refusalOf } from './refused-commands.ts';
import type { WireRequest } from './wire-message.ts';

const commands: ReadonlyMap<string, MongoCommand> = new Map(
  Object.entries({ ...connectionCommands, ...readCommands, ...cursorCommands, ...catalogCommands }),
);
/** A document of 16 MiB and what a command says beside it, as MongoDB allows. */
const maxCommandBytes = 16 * 1024 * 1024 + 16 * 1024;
/** What drivers before 3.6 must be able to say, in the form that only they still use. */
const inQueryForm: ReadonlySet<string> = new Set(['hello', 'isMaster', 'ismaster']);

/** The password was changed since the connection logged in: it ends without an answer. */
export class LoginOutdated extends Error {
  override readonly name = 'LoginOutdated';
}

export interface CommandOutcome {
  /** the answer, BSON */
  readonly reply: Uint8Array;
  /** a name of this server's, never anything else that a client chose */
  readonly command: string;
  /** ok, or the name of the error */
  readonly outcome: string;
}

/**
 * Answers one command; what it fails with is an answer too.
 * @throws LoginOutdated, and the reason of the signal when that ended the command
 */
export async function answerCommand(
  service: MongoService,
  connection: MongoCall['connection'],
  request: WireRequest,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  let command = 'unknown';
  try {
    const document = decode(request.body);
    const name = Object.keys(document)[0] ?? '';
    if (commands.has(name) || isRefused(name)) command = name;
    if (request.form === 'query' && !inQueryForm.has(name)) {
      throw new MongoError('UnsupportedOpQueryCommand', 'OP_QUERY is answered for hello alone; use OP_MSG.');
    }
    const database: unknown = document.$db ?? (request.form === 'query' ? 'admin' : undefined);
    if (typeof database !== 'string') throw new MongoError('FailedToParse', 'A command wants $db, its database.');
    const answer = await run(name, { service, document, database, connection, signal });
    return { reply: encode(answer), command, outcome: 'ok' };
  } catch (error) {
    if (error instanceof LoginOutdated || signal.aborted) throw error;
    const { message, code, codeName } = mongoErrorOf(error, command, service.defects);
    return { reply: serialize({ ok: 0, errmsg: message, code, codeName }), command, outcome: codeName };
  }
}

async function run(name: string, call: MongoCall): Promise<MongoAnswer> {
  const command = commands.get(name);
  const { login } = call.connection;
  if (command !== undefined && !command.needsLogin) return command.answer(call);
  const { organizationId } = login;
  if (organizationId === null) throw new MongoError('Unauthorized', `Command ${name} requires authentication.`);
  if (!(await login.isCurrent())) throw new LoginOutdated();
  if (command === undefined) throw refusalOf(name);
  return command.answer({ ...call, organizationId });
}

/** Patterns keep their source, as MongoDB's are not quite JavaScript's. */
function decode(body: Uint8Array): Document {
  if (body.length > maxCommandBytes) {
    throw new MongoError('BSONObjectTooLarge', `A command of ${body.length} bytes is too large.`);
  }
  try {
    return deserialize(body, { bsonRegExp: true });
  } catch (cause) {
    throw new MongoError('InvalidBSON', `The command is not a BSON document: ${(cause as Error).message}`, { cause });
  }
}

const encode = (answer: MongoAnswer): Uint8Array =>
  answer instanceof Uint8Array ? answer : serialize({ ...answer, ok: 1 });
