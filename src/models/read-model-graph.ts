import { readGraph } from './onnx/face/graphs.ts';
import { readTfliteGraph } from './tflite/read-graph.ts';
import { isTflite } from './tflite/read-tflite.ts';
import type { ModelGraph } from '../machine/vision/face/inference.ts';

/** Reads the graph of a model file of any format that opens here. @throws ModelError `not-onnx`, `not-tflite` */
export function readModelGraph(bytes: Uint8Array, fileName: string): ModelGraph {
  return isTflite(bytes) ? readTfliteGraph(bytes) : readGraph(bytes, fileName);
}
