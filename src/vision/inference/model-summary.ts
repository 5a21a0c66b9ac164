import type { TensorInfo } from '../tensor.ts';

/** What a model file says of itself, without its weights, whatever its format. Survives structured cloning. */
export interface ModelSummary {
  readonly format: ModelFormat;
  readonly byteLength: number;
  /** What the caller feeds, in the order and under the names that the machine has of them. */
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly producer: string;
  readonly graphName: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** labels that the file carries, null if none; the machine does not read them */
  readonly labels: readonly string[] | null;
  /** the metadata key or packed file that they stand in, '' if none */
  readonly labelsFrom: string;
  /** as xmin_ymin_xmax_ymax_order, null if the file does not say */
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
  /** by domain, '' = ai.onnx */
  readonly opsets: Readonly<Record<string, number>>;
}

export interface TfliteFormat {
  readonly name: 'tflite';
  readonly schemaVersion: number;
  /** keys of its signatures, which nothing on the machine asks for */
  readonly signatures: readonly string[];
}
