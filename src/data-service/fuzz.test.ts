import { ScalarType, type DescField, type DescMessage, type DescMethod } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { beforeAll, expect, it } from 'vitest';
import {
  collect,
  startDataService,
  uploadPicture,
  uploadReading,
  type TestService,
} from '../../tests/data-service-fixture.ts';
import { DatasetType } from '../gen/app/dataset/v1/dataset_pb.ts';
import { dataServices } from '../../tests/data-services.ts';
import { streamOf } from '../../tests/upload-packets.ts';

const messagesPerMethod = 170;
const methods = dataServices.flatMap((service): readonly DescMethod[] => service.methods);

let service: TestService;
let knownTexts: string[] = [];

beforeAll(async () => {
  service = await startDataService();
  const { owner } = service;
  const picture = await uploadPicture(owner);
  const { id } = await owner.datasets.createDataset({ organizationId: 'a', name: 'set' });
  const box = await owner.data.addBoundingBoxToImageByID({ binaryDataId: picture, label: 'cup' });
  await uploadReading(owner, { kg: 1 });
  const clips = { organizationId: 'a', name: 'clips', type: DatasetType.SEQUENCE_DATA };
  const { id: datasetId } = await owner.datasets.createDataset(clips);
  const resources = [{ resourceName: 'scale', methodName: 'Readings' }];
  const window = { startTime: timestampFromMs(0), endTime: timestampFromMs(1) };
  const sequence = await owner.data.createSequence({ partId: 'lab-part', resources, ...window });
  const { jobId } = await owner.datasets.startSequenceDatasetExport({ datasetId });
  knownTexts = [
    'a',
    'lab',
    'lab-part',
    'yard-part',
    'lab-robot',
    picture,
    picture.split('/')[2]!,
    id,
    datasetId,
    sequence.id,
    jobId,
    box.bboxId,
    'scale',
    'Readings',
  ];
});

it.each(methods.map((method, index) => [method.name, method, index] as const))(
  '%s answers any message, and with no defect',
  async (_, method, index) => {
    const draw = new Draw(index + 1);
    // Methods by name have no common type; the test is about what comes back.
    const client = service.owner.of(method.parent) as unknown as Record<string, (input: unknown) => unknown>;
    for (let count = 0; count < messagesPerMethod; count++) {
      const code = await codeOfAny(client[method.localName]!.bind(client), method, draw);
      expect(code).not.toMatch(/^(Internal|Unknown|DataLoss)$/);
      expect(service.defects).toEqual([]);
    }
  },
  60_000,
);

it('was at least 10,000 messages', () => {
  expect(methods.length * messagesPerMethod).toBeGreaterThanOrEqual(10_000);
});

async function codeOfAny(call: (input: unknown) => unknown, method: DescMethod, draw: Draw): Promise<string> {
  try {
    const input = () => draw.message(method.input, 0);
    const answer = call(method.methodKind === 'client_streaming' ? streamOf(draw.list(input)) : input());
    await (method.methodKind === 'server_streaming' ? collect(answer as AsyncIterable<unknown>) : answer);
    return 'ok';
  } catch (error) {
    return Code[ConnectError.from(error).code];
  }
}

/** Draws messages from a seeded generator: some sensible, some as wrong as their types allow. */
class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** 0 ≤ n < 1, by mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  of<Choice>(choices: readonly Choice[]): Choice {
    return choices[Math.floor(this.next() * choices.length)]!;
  }

  list<Item>(item: () => Item): Item[] {
    return Array.from({ length: Math.floor(this.next() * 4) }, item);
  }

  message(type: DescMessage, depth: number): object {
    if (type.typeName === 'google.protobuf.Struct') return this.json(0) as object;
    const message: Record<string, unknown> = {};
    for (const field of type.fields) {
      if (this.next() < 0.35 || (depth > 4 && field.message !== undefined)) continue;
      const value = this.field(field, depth);
      if (field.oneof === undefined) message[field.localName] = value;
      else message[field.oneof.localName] = { case: field.localName, value };
    }
    return message;
  }

  field(field: DescField, depth: number): unknown {
    switch (field.fieldKind) {
      case 'scalar':
        return this.scalar(field.scalar);
      case 'enum':
        return this.of([...field.enum.values.map(({ number }) => number), 99, -1]);
      case 'message':
        return this.message(field.message, depth + 1);
      case 'list':
        return this.list(() => {
          if (field.listKind === 'scalar') return this.scalar(field.scalar);
          return field.listKind === 'enum' ? 99 : this.message(field.message, depth + 1);
        });
      case 'map':
        return Object.fromEntries(
          this.list(() => [this.text(), field.mapKind === 'message' ? this.message(field.message, depth + 1) : '']),
        );
    }
  }

  scalar(type: ScalarType): unknown {
    switch (type) {
      case ScalarType.STRING:
        return this.text();
      case ScalarType.BYTES:
        return Uint8Array.from(this.list(() => Math.floor(this.next() * 256)));
      case ScalarType.BOOL:
        return this.next() < 0.5;
      case ScalarType.DOUBLE:
        return this.of([0, 0.5, 1, -0, -1, NaN, Infinity, -Infinity, 5e-324, Number.MAX_VALUE]);
      case ScalarType.UINT64:
        return this.of([0n, 1n, 2n ** 53n, 2n ** 64n - 1n]);
      case ScalarType.INT64:
        return this.of([0n, 1n, -1n, 1_773_205_200n, 253_402_300_799n, -62_135_596_800n, 2n ** 63n - 1n, -(2n ** 63n)]);
      case ScalarType.UINT32:
        return this.of([0, 1, 15, 10_080, 2 ** 32 - 1]);
      case ScalarType.INT32:
        return this.of([0, 1, -1, 999_999_999, 2 ** 31 - 1, -(2 ** 31)]);
      default:
        throw new Error(`No message of the data service has a field of type ${ScalarType[type]}.`);
    }
  }

  text(): string {
    const odd = [
      '',
      ' ',
      '\u0000',
      '../..',
      'a/',
      '/',
      'a/lab/',
      'SVC_DATASET_',
      '__proto__',
      'constructor',
      '💥',
      '%',
      'x'.repeat(5000),
    ];
    return this.next() < 0.6 ? this.of(knownTexts) : this.of([...odd, '* * * * *', 'SELECT 1', String(this.next())]);
  }

  json(depth: number): unknown {
    const leaf = (): unknown => this.of([null, true, 0, NaN, -Infinity, 1e308, 'text', '__proto__', '']);
    const object = (): unknown =>
      Object.fromEntries(this.list(() => [this.text(), depth > 2 ? leaf() : this.json(depth + 1)]));
    if (depth === 0) return object();
    return this.of([leaf, object, () => this.list(leaf)])();
  }
}
