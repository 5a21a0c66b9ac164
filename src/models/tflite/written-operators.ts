import { writeFlexMap, type FlexValue } from './write-flex-map.ts';
import type { FlatField } from './write-flatbuffer.ts';

/** BuiltinOptions of the schema, by number: the table of an operator's options says which it is. */
const optionTypes = {
  ADD: 11,
  ARG_MAX: 40,
  CAST: 37,
  CONCATENATION: 10,
  DEQUANTIZE: 38,
  DIV: 29,
  EXP: 33,
  FULLY_CONNECTED: 8,
  GATHER: 23,
  GREATER: 44,
  LESS: 41,
  LOG: 0,
  LOGICAL_NOT: 63,
  LOGISTIC: 0,
  MAXIMUM: 39,
  MINIMUM: 39,
  MUL: 21,
  NEG: 42,
  ONE_HOT: 61,
  PAD: 22,
  PADV2: 43,
  POW: 56,
  QUANTIZE: 89,
  REDUCE_MAX: 27,
  RESHAPE: 17,
  ROUND: 0,
  SELECT_V2: 98,
  SLICE: 48,
  SOFTMAX: 9,
  SQRT: 0,
  SUB: 28,
  TOPK_V2: 34,
  TRANSPOSE: 26,
} as const satisfies Readonly<Record<string, number>>;

/** The built-in operators that are written here. */
export type WrittenOperator = keyof typeof optionTypes;

/** Version of the kernel that an operator needs for the types it is written with; 1 where it is not here. */
const versions: Partial<Record<WrittenOperator, number>> = {
  // from float16 and int8
  DEQUANTIZE: 3,
  // uint8 to int8
  QUANTIZE: 2,
};

export interface OperatorForm {
  readonly name: WrittenOperator;
  /** fields of the options' table; the numbers of the schema's fields are their places */
  readonly options: readonly FlatField[];
}

export interface CustomForm {
  readonly custom: string;
  readonly options: Readonly<Record<string, FlexValue>>;
}

/** The fields of an `Operator` table behind its inputs and outputs. */
export function optionFields(form: OperatorForm | CustomForm): readonly FlatField[] {
  if ('custom' in form) return [undefined, undefined, { bytes: writeFlexMap(form.options) }];
  const type = optionTypes[form.name];
  return type === 0 ? [] : [{ int8: type }, { table: form.options }];
}

export function versionOf(form: OperatorForm | CustomForm): number {
  return 'custom' in form ? 1 : (versions[form.name] ?? 1);
}
