import { serialize, type Document } from 'bson';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../tests/random-frame.ts';
import { encodeMessage, RawClient } from './test-client.ts';
import { findAll, logInTo, password, serveMongo } from './test-endpoint.ts';

const times = process.env['NIGHTLY'] ? 3 : 1;

describe('any bytes', () => {
  it('of a stranger end in an answer or a closed connection', async () => {
    const server = await serveMongo({ headersTimeoutMs: 60_000 });
    const draw = new Draw(1);
    for (let count = 0; count < 333 * times; count++) {
      const client = new RawClient(server.mongoPort);
      client.socket.end(draw.bytes());
      client.socket.resume();
      await client.closed;
    }
    expect(server.service.defects).toEqual([]);
    expect(await new RawClient(server.mongoPort).ask({ ping: 1, $db: 'admin' })).toMatchObject({ ok: 1 });
  });

  it('of a user end in an answer or a closed connection, and every answer has a reason', async () => {
    const server = await serveMongo();
    const draw = new Draw(2);
    let client = await logInTo(server);
    let answers = 0;
    for (let count = 0; count < 1000 * times; count++) {
      client.socket.write(draw.message());
      const answer = await client.answer();
      if (answer === null) client = await logInTo(server);
      else answers++;
      if (answer?.ok === 0) expect(answer.codeName).not.toBe('InternalError');
      expect(server.service.defects).toEqual([]);
      if ((await client.ask(findAll))?.code === 13) await client.logIn('db-user-a', password);
    }
    expect(answers).toBeGreaterThan(500 * times);
    client.socket.destroy();
  }, 60_000);
});

/** Draws messages from a seeded generator: sensible ones with something wrong about them. */
class Draw {
  /** 0 ≤ n < 1 */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomSource(seed);
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  of<Choice>(choices: readonly Choice[]): Choice {
    return choices[this.below(choices.length)]!;
  }

  /** Anything at all. */
  bytes(): Buffer {
    const message = this.message();
    const kind = this.below(4);
    if (kind === 0) return Buffer.from(Array.from({ length: this.below(100) }, () => this.below(256)));
    if (kind === 1) return message.subarray(0, this.below(message.length));
    if (kind === 2) return this.flipped(message, 0);
    return Buffer.concat([message, this.message()]);
  }

  /** A whole message, whose command may be no BSON. */
  message(): Buffer {
    const body = Buffer.from(serialize(this.command()));
    return encodeMessage(this.below(100), this.next() < 0.2 ? this.flipped(body, 4) : body);
  }

  flipped(bytes: Buffer, from: number): Buffer {
    for (let flips = 1 + this.below(3); flips > 0; flips--) {
      bytes[from + this.below(bytes.length - from)]! ^= 1 << this.below(8);
    }
    return bytes;
  }

  command(): Document {
    const names = `find find find aggregate aggregate count distinct hello isMaster ping buildInfo saslStart saslContinue connectionStatus getParameter find aggregate count
      distinct getMore killCursors listDatabases listCollections listIndexes insert explain endSessions __proto__ toString`;
    const fields = `filter sort projection skip limit batchSize singleBatch pipeline cursor query key cursors collection
      nameOnly payload mechanism options speculativeAuthenticate saslSupportedMechs maxTimeMS collation hint let lsid
      comment`;
    const needed = this.of([[], ['filter'], ['pipeline', 'cursor'], ['key', 'query']]);
    const command: Document = { [this.of(names.split(/\s+/))]: this.next() < 0.9 ? 'readings' : this.value(0) };
    for (const field of needed) command[field] = this.fitting(field);
    for (let count = this.below(5); count > 0; count--) {
      const field = this.of(fields.split(/\s+/));
      command[field] = this.next() < 0.2 ? this.value(0) : this.fitting(field);
    }
    return { ...command, $db: this.next() < 0.9 ? 'sensorData' : this.value(2) };
  }

  /** A random value of the type that the field has. */
  fitting(field: string): unknown {
    if (field === 'pipeline') return Array.from({ length: this.below(4) }, () => this.document(1));
    if (/filter|sort|projection|query|options/.test(field)) return this.document(0);
    if (field === 'cursor') return {};
    if (field === 'key') return this.of(['data.readings.kg', 'tags', '$x', 'a.$b', '__proto__']);
    return /skip|limit|Size|MS/.test(field) ? this.of([0, 1, 2, 1000]) : this.value(2);
  }

  document(depth: number): Document {
    const name = (): string =>
      this.of('$match $group $sort $gt $in $expr $where $natural $size _id data.readings.kg n'.split(' '));
    return Object.fromEntries(Array.from({ length: 1 + this.below(2) }, () => [name(), this.value(depth + 1)]));
  }

  value(depth: number): unknown {
    const leaf = (): unknown =>
      this.of([null, true, 0, 1, -1, 0.5, NaN, 2 ** 53, '', 'readings', '$data', 'a\u0000b', new Date(NaN), /a+/i]);
    if (depth > 3) return leaf();
    const document = (): Document => this.document(depth);
    return this.of<() => unknown>([
      leaf,
      document,
      () => Array.from({ length: this.below(3) }, document),
      () => Buffer.from('n,,n=,r=x'),
    ])();
  }
}
