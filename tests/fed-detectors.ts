import { createHash } from 'node:crypto';
import { GraphBuilder } from '../src/models/onnx/edit-model.ts';
import { readModelFile } from '../src/models/read-model-file.ts';
import type { ModelDescription } from '../workers/vision/protocol.ts';
import { addImage, type TinyInput } from './models.ts';

/** A model's file. */
export interface ModelBytes {
  readonly fileName: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface FedDetector {
  readonly input?: TinyInput;
  readonly outputs?: readonly [string, string, string];
  /** another training of the same model: other scores, and another class of its third box */
  readonly edition?: 1 | 2;
  /** class names in the file's metadata */
  readonly names?: string;
}

/** A detector of three boxes whose scores are the means of the channels that it is fed: colours, mean and deviation change them all. */
export function fedDetector({
  input = {},
  outputs: [boxes, classes, scores] = ['location', 'category', 'score'],
  edition = 1,
  names,
}: FedDetector = {}): Uint8Array<ArrayBuffer> {
  const build = new GraphBuilder();
  const image = addImage(build, { heightPx: 4, widthPx: 8, ...input });
  const asFloat = build.add('Cast', [image], { to: { int: 1 } });
  const means = build.add('ReduceMean', [asFloat, build.ints([2], [1, 2])], { keepdims: { int: 0 } });
  const scale = build.floats([], [(input.dtype === 'uint8' ? 1 / 255 : 1) * edition]);
  const corners = [0, 0, 0.5, 0.25, 0.25, 0.5, 0.75, 1, 0, 0.5, 1, 1];
  build.output(boxes, build.floats([1, 3, 4], corners), 'float32', [1, 3, 4]);
  build.output(classes, build.floats([1, 3], [0, 1, edition]), 'float32', [1, 3]);
  build.output(scores, build.add('Sigmoid', [build.add('Mul', [means, scale])]), 'float32', [1, 3]);
  const metadata: Record<string, string> = names === undefined ? {} : { names };
  return build.build({ graphName: 'fed-detector', producer: 'sightglass-tests', opset: 18, metadata });
}

/** What the worker says of a model that it loaded. */
export function describeLoaded({ fileName, bytes }: ModelBytes, stored: boolean): ModelDescription {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    ...readModelFile(bytes, fileName).summary,
    modelId: sha256,
    sha256,
    fileName,
    backend: 'wasm',
    gpuRefusal: '',
    admission: null,
    runsAt: '',
    comparison: null,
    warmRunMs: null,
    stored,
    storedReason: '',
    moduleFindings: [],
  };
}
