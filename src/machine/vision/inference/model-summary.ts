import type { TensorInfo } from '../tensor/tensor.ts';

/** What a model file describes of itself, whatever its format, without the weights. Survives structured cloning. */
export interface ModelSummary {
  readonly format: ModelFormat;
  readonly byteLength: number;
  /** The inputs that the caller has to feed, under the machine's names and in the machine's order. */
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly producer: string;
  readonly graphName: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** labels that the file carries, null if none; the machine does not read them */
  readonly labels: readonly string[] | null;
  /** the metadata key or the packed file that holds the labels; '' if there is none */
  readonly labelsFrom: string;
  /** where xmin, ymin, xmax and ymax stand in a box; null if the file does not say */
  readonly boxOrder: readonly number[] | null;
  /** how often each operator occurs, subgraphs included; "domain.Name" outside the default domain */
  readonly operators: Readonly<Record<string, number>>;
  readonly parameterCount: number;
  readonly warnings: readonly string[];
}

export type ModelFormat = OnnxFormat | TfliteFormat;

export interface OnnxFormat {
  readonly name: 'onnx';
  readonly irVersion: number;
  /** opset version by domain; '': ai.onnx */
  readonly opsets: Readonly<Record<string, number>>;
}

export interface TfliteFormat {
  readonly name: 'tflite';
  readonly schemaVersion: number;
  /** keys of the model's signatures, which the machine does not use */
  readonly signatures: readonly string[];
  /** `num_classes` of its TFLite_Detection_PostProcess, which counts no background; absent: it has no such operator, or several that differ */
  readonly classCount?: number;
}
