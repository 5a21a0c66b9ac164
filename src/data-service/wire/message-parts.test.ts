import { create, fromBinary, toBinary, type DescMessage } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { FileDescriptorProtoSchema, StructSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DataCaptureUploadRequestSchema } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { countJsonParts, maxMessageParts, PartCounter } from './message-parts.ts';

function counted(message: DescMessage, ...chunks: readonly Uint8Array[]): number {
  const counter = new PartCounter(message);
  for (const chunk of chunks) counter.add(chunk);
  return counter.count;
}

/** How many tags Protobuf-ES reads of a message; null where it cannot read it. */
function readTags(message: DescMessage, bytes: Uint8Array): number | null {
  const tag = vi.spyOn(BinaryReader.prototype, 'tag');
  try {
    fromBinary(message, bytes);
    return tag.mock.calls.length;
  } catch {
    return null;
  } finally {
    tag.mockRestore();
  }
}

const upload = toBinary(
  DataCaptureUploadRequestSchema,
  create(DataCaptureUploadRequestSchema, {
    metadata: { partId: 'part', tags: ['a', '', 'b'], methodParameters: {} },
    sensorContents: [
      { metadata: { timeRequested: { seconds: 7n, nanos: 5 } }, data: { case: 'binary', value: new Uint8Array(300) } },
      { data: { case: 'struct', value: { list: [1, true, null, ['x']], deep: { deeper: { n: -1 } } } } },
    ],
  }),
);

describe('the parts of a message in protobuf', () => {
  afterEach(() => vi.restoreAllMocks());

  it('are its fields and those within, however its bytes are cut', () => {
    const parts = readTags(DataCaptureUploadRequestSchema, upload);
    expect(parts).toBeGreaterThan(30);
    expect(counted(DataCaptureUploadRequestSchema, upload)).toBe(parts);
    for (let cut = 0; cut <= upload.length; cut++) {
      expect(counted(DataCaptureUploadRequestSchema, upload.subarray(0, cut), upload.subarray(cut))).toBe(parts);
    }
    expect(counted(DataCaptureUploadRequestSchema, ...Array.from(upload, (byte) => Uint8Array.of(byte)))).toBe(parts);
  });

  // The last is proto2, with groups unknown, enums, packed and unpacked lists, and messages in themselves.
  const schemas = fc.constantFrom<DescMessage>(DataCaptureUploadRequestSchema, StructSchema, FileDescriptorProtoSchema);
  const byte = fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 0x0a, 0x12, 0x1a, 0x22, 0x0b, 0x0c, 0x5a, 0x55), fc.nat(0xff));
  it('are as many as it reads, also where wire types are wrong', () => {
    let readable = 0;
    fc.assert(
      fc.property(schemas, fc.uint8Array({ maxLength: 4 }), fc.array(byte, { maxLength: 40 }), (schema, head, rest) => {
        const bytes = Uint8Array.from([...head, ...rest]);
        const parts = readTags(schema, bytes);
        if (parts === null) return;
        readable++;
        expect(counted(schema, bytes)).toBe(parts);
      }),
      { seed: 11, numRuns: 15_000 },
    );
    expect(readable).toBeGreaterThan(500);
  });

  it('are as many as it reads of what a bit was turned in', () => {
    let readable = 0;
    for (let at = 0; at < upload.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const turned = upload.slice();
        turned[at]! ^= 1 << bit;
        const parts = readTags(DataCaptureUploadRequestSchema, turned);
        if (parts === null) continue;
        readable++;
        expect([at, bit, counted(DataCaptureUploadRequestSchema, turned)]).toEqual([at, bit, parts]);
      }
    }
    expect(readable).toBeGreaterThan(2000);
  });

  it('are the numbers of a packed list by what they take', () => {
    const { number } = FileDescriptorProtoSchema.field.publicDependency;
    const list = Uint8Array.from([(number << 3) | 2, 0x80, 0x02, ...new Array<number>(256).fill(1)]);
    expect(counted(FileDescriptorProtoSchema, list)).toBe(1 + 16);
  });

  it('are refused beyond half a million', () => {
    const empty = Uint8Array.of((DataCaptureUploadRequestSchema.field.sensorContents.number << 3) | 2, 0);
    const most = new Uint8Array(2 * maxMessageParts).map((_, at) => empty[at % 2]!);
    const counter = new PartCounter(DataCaptureUploadRequestSchema);
    counter.add(most);
    expect(counter.count).toBe(maxMessageParts);
    expect(() => counter.add(empty)).toThrow(
      '[resource_exhausted] A message may have 500,000 fields, those of the messages in it counted with, and this one has more; send it in several.',
    );
  });
});

it.each([
  ['{}', 1],
  ['{"a":1,"b":[2,3,{}]}', 6],
  ['"a text"', 0],
])('the parts of %s in JSON are %i', (text, parts) => {
  expect(countJsonParts(new TextEncoder().encode(text))).toBe(parts);
});
