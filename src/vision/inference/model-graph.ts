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
  /** by name: those of which the file says something */
  readonly tensors: ReadonlyMap<string, GraphTensor>;
}

export interface GraphOperator {
  /** "Conv", "CONV_2D"; outside the default domain "domain.Name" */
  readonly operator: string;
  /** what the exporter called it; '' where it did not */
  readonly name: string;
  /** names of tensors, constants among them; optional ones that are left out are not named */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** name and value in words */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** written by Sightglass when the model was made machine-ready */
  readonly isAdded: boolean;
}

export interface GraphTensor {
  /** "float32", or whatever else the format calls it; '' where the file does not say */
  readonly dtype: string;
  /** an open size is its symbol or "?"; null where the file does not say */
  readonly shape: readonly (number | string)[] | null;
  /** of a constant: its values, where they are few and plain, else ''; null for what the model computes */
  readonly constant: string | null;
}
