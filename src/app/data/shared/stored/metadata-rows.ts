import { byteText, timeText } from '../../../kit/words/figures.ts';
import { createRegistry, toJson } from '@bufbuild/protobuf';
import {
  anyUnpack,
  BoolValueSchema,
  DoubleValueSchema,
  Int64ValueSchema,
  ListValueSchema,
  StringValueSchema,
  StructSchema,
  timestampMs,
  ValueSchema,
  type Any,
} from '@bufbuild/protobuf/wkt';
import type { BinaryMetadata } from '../../../../gen/app/data/v1/data_pb.ts';

const known = createRegistry(
  StringValueSchema,
  BoolValueSchema,
  DoubleValueSchema,
  Int64ValueSchema,
  ListValueSchema,
  StructSchema,
  ValueSchema,
);

export interface MetadataRow {
  readonly name: string;
  readonly value: string;
  /** true for an id or the like, shown in a monospaced font */
  readonly isCode?: boolean;
}

/** The metadata of a stored file in display order; empty fields are left out. */
export function metadataRows(metadata: BinaryMetadata): readonly MetadataRow[] {
  const capture = metadata.captureMetadata;
  const time = (stamp: BinaryMetadata['timeRequested']): string => timeText(stamp ? timestampMs(stamp) : null);
  const rows: MetadataRow[] = [
    { name: 'File', value: metadata.fileName },
    { name: 'Type', value: capture?.mimeType ?? '' },
    { name: 'Size', value: byteText(Number(metadata.fileSizeBytes)) },
    { name: 'Requested', value: time(metadata.timeRequested) },
    { name: 'Received', value: time(metadata.timeReceived) },
    { name: 'Machine', value: nameAndId(capture?.robotName, capture?.robotId) },
    { name: 'Part', value: nameAndId(capture?.partName, capture?.partId) },
    { name: 'Location', value: capture?.locationId ?? '' },
    { name: 'Component', value: capture?.componentName ?? '' },
    { name: 'Component type', value: capture?.componentType ?? '', isCode: true },
    { name: 'Method', value: capture?.methodName ?? '' },
    ...Object.entries(capture?.methodParameters ?? {}).map(([name, value]) => ({
      name,
      value: anyText(value),
      isCode: true,
    })),
    { name: 'Id', value: metadata.binaryDataId, isCode: true },
  ];
  return rows.filter(({ value }) => value !== '');
}

const nameAndId = (name = '', id = ''): string => (name && id && name !== id ? `${name} (${id})` : name || id);

/** A method parameter as JSON; only its type if the type is not a common one. */
function anyText(any: Any): string {
  const message = anyUnpack(any, known);
  const schema = message && known.getMessage(message.$typeName);
  if (!message || !schema) return any.typeUrl;
  const json = toJson(schema, message);
  return typeof json === 'string' ? json : JSON.stringify(json, null, 1);
}
