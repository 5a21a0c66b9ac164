import { create } from '@bufbuild/protobuf';
import { StringStringEntryProtoSchema, type ModelProto } from '../../gen/onnx_pb.ts';

/**
 * Writes entries of a model's metadata.
 * @param model is changed
 * @param entries by key, in place of those with the same keys; null only removes
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * const model = decodeModel(channelMeansClassifier({ metadata: { author: 'me' } }));
 * setMetadata(model, { author: null, names: 'cat' });
 * model.metadataProps.map(({ key, value }) => [key, value]); // => [['names', 'cat']]
 */
export function setMetadata(model: ModelProto, entries: Readonly<Record<string, string | null>>): void {
  const written = Object.entries(entries).flatMap(([key, value]) =>
    value === null ? [] : [create(StringStringEntryProtoSchema, { key, value })],
  );
  model.metadataProps = [...model.metadataProps.filter(({ key }) => !(key in entries)), ...written];
}
