import { create } from '@bufbuild/protobuf';
import { StringStringEntryProtoSchema, type ModelProto } from '../gen/onnx_pb.ts';

/** Writes entries of the model's metadata; those with the same keys go, null alone removes. */
export function setMetadata(model: ModelProto, entries: Readonly<Record<string, string | null>>): void {
  const written = Object.entries(entries).flatMap(([key, value]) =>
    value === null ? [] : [create(StringStringEntryProtoSchema, { key, value })],
  );
  model.metadataProps = [...model.metadataProps.filter(({ key }) => !(key in entries)), ...written];
}
