import { TensorProto_DataLocation as DataLocation, type GraphProto, type TensorProto } from '../../gen/onnx_pb.ts';
import { graphsOf } from './graph-walk.ts';
import { ModelError } from '../../machine/vision/face/errors.ts';

/**
 * Takes weights that lie in files beside the model into the model.
 * @param graph is changed
 * @param files by the name that the model knows them under, or by its last part; weights become views of them, so do not
 *   change them afterwards
 * @returns how many tensors were taken in
 * @throws ModelError `external-data-missing`, naming the file and what is wrong with it
 * @example
 * import { decodeModel } from './edit-model.ts';
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * embedExternalData(decodeModel(channelMeansClassifier()).graph, {}); // => 0
 */
export function embedExternalData(graph: GraphProto, files: Readonly<Record<string, Uint8Array>>): number {
  const outside = graphsOf(graph).flatMap(({ initializer, node }) => [
    ...initializer.filter(isExternal),
    ...node
      .flatMap(({ attribute }) => attribute.flatMap(({ t, tensors }) => [...(t ? [t] : []), ...tensors]))
      .filter(isExternal),
  ]);
  for (const tensor of outside) embed(tensor, files);
  return outside.length;
}

function isExternal({ dataLocation }: TensorProto): boolean {
  return dataLocation === DataLocation.EXTERNAL;
}

function embed(tensor: TensorProto, files: Readonly<Record<string, Uint8Array>>): void {
  const entry = (key: string) => tensor.externalData.find((candidate) => candidate.key === key)?.value;
  const location = entry('location') ?? '';
  const file = files[location] ?? files[location.split(/[/\\]/).at(-1)!];
  if (file === undefined) {
    throw new ModelError(
      'external-data-missing',
      `The weights "${tensor.name}" are in "${location}", which was not given with the model. Give both files together.`,
    );
  }
  const offset = Number(entry('offset') ?? 0);
  const length = Number(entry('length') ?? file.length - offset);
  if (!(offset >= 0 && length >= 0 && offset + length <= file.length)) {
    throw new ModelError(
      'external-data-missing',
      `"${location}" has ${file.length} bytes; the weights "${tensor.name}" want ${length} from byte ${offset} on. ` +
        'It is cut short, or belongs to another model.',
    );
  }
  tensor.rawData = file.subarray(offset, offset + length);
  tensor.externalData = [];
  tensor.dataLocation = DataLocation.DEFAULT;
}
