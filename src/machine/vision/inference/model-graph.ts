/**
 * A model as operators and the tensors between them, whatever its format, without weights. What passes through an `If` or a
 * `Loop` is read by that one operator. Survives structured cloning.
 */
export interface ModelGraph {
  /** names of tensors, in the model's order; constants are no inputs */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** in the file's order; constants are tensors, not operators */
  readonly operators: readonly GraphOperator[];
  /** by tensor name; only tensors that the file describes */
  readonly tensors: ReadonlyMap<string, GraphTensor>;
}

export interface GraphOperator {
  /** "Conv", "CONV_2D"; outside the default domain "domain.Name" */
  readonly operator: string;
  /** the name that the exporter gave the operator; '' if none */
  readonly name: string;
  /** names of tensors, constants among them; omitted optional inputs are left out */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** name and value in words */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** written by Sightglass when the model was made machine-ready */
  readonly isAdded: boolean;
}

export interface GraphTensor {
  /** "float32", or the format's own name of another type; '' where the file does not say */
  readonly dtype: string;
  /** a dynamic size is its symbol or "?"; null where the file does not say */
  readonly shape: readonly (number | string)[] | null;
  /** the values of a constant if they are few and plain, otherwise ''; null for a tensor that the model computes */
  readonly constant: string | null;
}
