/** A node of a graph, under ONNX's name for its operator. */
export interface StructureNode {
  readonly opType: string;
  readonly input: readonly string[];
  readonly output: readonly string[];
}
