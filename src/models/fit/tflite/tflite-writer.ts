import { type AttributeValue, type GraphWriter, type NodeAttributes, onnxType } from '../../onnx/face/model-files.ts';
import type { NewTensor, TfliteEditor } from '../../tflite/edit-model.ts';
import type { CustomForm, OperatorForm, WrittenOperator } from '../../tflite/written-operators.ts';
import { tensorTypeNumber } from '../../tflite/tensor-types.ts';
import { FitError } from '../structure/fit-error.ts';

type TensorType = NewTensor['type'];

/** A tensor that the decoding reads or makes. */
interface Value {
  readonly index: number;
  readonly type: TensorType;
  readonly shape: readonly number[];
  /** the numbers of a constant that sizes and places are read from */
  readonly numbers: readonly number[] | null;
}

/** Operators of one tensor that give numbers of the same shape. */
const unary: Readonly<Record<string, WrittenOperator>> = {
  Exp: 'EXP',
  Log: 'LOG',
  Neg: 'NEG',
  Not: 'LOGICAL_NOT',
  Round: 'ROUND',
  Sigmoid: 'LOGISTIC',
  Sqrt: 'SQRT',
};

const binary: Readonly<Record<string, WrittenOperator>> = {
  Add: 'ADD',
  Div: 'DIV',
  Greater: 'GREATER',
  Less: 'LESS',
  Max: 'MAXIMUM',
  Min: 'MINIMUM',
  Mul: 'MUL',
  Pow: 'POW',
  Sub: 'SUB',
};

/** Reads one node: the operator, its tensors, its attributes. Gives the names of what it makes. */
type Form = (writer: TfliteWriter, inputs: readonly string[], attributes: NodeAttributes) => readonly string[];

/**
 * Writes the decoding of a family, which is said in ONNX's words, with TensorFlow Lite's built-in operators. Every size is known when it is
 * written, as the interpreter of the machine allocates all tensors before the first frame.
 */
export class TfliteWriter implements GraphWriter {
  /** Whoever writes operators whose form changed goes by the newest. */
  readonly versions = { opset: 18, irVersion: 8 };
  readonly #editor: TfliteEditor;
  readonly #where: 'before' | 'behind';
  readonly #values = new Map<string, Value>();

  constructor(editor: TfliteEditor, where: 'before' | 'behind') {
    this.#editor = editor;
    this.#where = where;
  }

  /** Names a tensor of the file for what follows. */
  read(name: string, index: number, type: TensorType, shape: readonly number[]): string {
    this.#values.set(name, { index, type, shape, numbers: null });
    return name;
  }

  floats(shape: readonly number[], values: ArrayLike<number>): string {
    return this.#constant('float32', shape, Float32Array.from(values), null);
  }

  /** int32, the type of sizes and places in TensorFlow Lite. */
  ints(shape: readonly number[], values: readonly number[]): string {
    return this.#constant('int32', shape, Int32Array.from(values), values);
  }

  add(opType: string, inputs: readonly string[], attributes: NodeAttributes = {}): string {
    return this.addMany(opType, inputs, 1, attributes)[0]!;
  }

  /** @throws FitError not-in-tflite */
  addMany(opType: string, inputs: readonly string[], _count: number, attributes: NodeAttributes = {}): string[] {
    const one = unary[opType];
    if (one) return [this.write({ name: one, options: [] }, inputs, this.of(inputs[0]!))];
    const two = binary[opType];
    if (two) return [this.#binary(two, inputs)];
    const form = forms[opType];
    if (!form)
      throw new FitError(
        'not-in-tflite',
        `The decoding of this kind of model needs ${opType}, which is written for ONNX alone. Export the model to ONNX.`,
      );
    return [...form(this, inputs, attributes)];
  }

  /** Adds an operator with one output. */
  write(form: OperatorForm, inputs: readonly string[], { type, shape }: Pick<Value, 'type' | 'shape'>): string {
    return this.writeMany(form, inputs, [{ type, shape }])[0]!;
  }

  /** Adds an operator; `named` are the names that its outputs have in the file, where those matter. */
  writeMany(
    form: OperatorForm | CustomForm,
    inputs: readonly string[],
    outputs: readonly (Pick<Value, 'type' | 'shape'> & { readonly quantization?: NewTensor['quantization'] })[],
    named: readonly string[] = [],
  ): string[] {
    const made = outputs.map(({ type, shape, quantization }, i) => {
      const name =
        named[i] ?? `sightglass/${'custom' in form ? form.custom : form.name.toLowerCase()}_${this.#values.size + i}`;
      const index = this.#editor.addTensor({ name, type, shape, ...(quantization && { quantization }) });
      return { name, value: { index, type, shape, numbers: null } };
    });
    const places = inputs.map((input) => (input === '' ? -1 : this.of(input).index));
    this.#editor.addOperator(
      form,
      places,
      made.map(({ value }) => value.index),
      this.#where,
    );
    for (const { name, value } of made) this.#values.set(name, value);
    return made.map(({ name }) => name);
  }

  of(name: string): Value {
    const value = this.#values.get(name);
    if (!value) throw new RangeError(`No tensor "${name}" was made.`);
    return value;
  }

  #binary(name: WrittenOperator, inputs: readonly string[]): string {
    const [one, other] = inputs.map((input) => this.of(input)) as [Value, Value];
    const isComparison = name === 'GREATER' || name === 'LESS';
    const shape = broadcast(one.shape, other.shape);
    return this.write({ name, options: [] }, inputs, { type: isComparison ? 'bool' : one.type, shape });
  }

  #constant(
    type: TensorType,
    shape: readonly number[],
    data: Float32Array | Int32Array,
    numbers: readonly number[] | null,
  ): string {
    const name = `sightglass/constant_${this.#values.size}`;
    this.#values.set(name, { index: this.#editor.addTensor({ name, type, shape, data }), type, shape, numbers });
    return name;
  }
}

const forms: Readonly<Record<string, Form>> = {
  Identity: (_, [input]) => [input!],
  Softmax(writer, [input], attributes) {
    const value = writer.of(input!);
    const axis = axisOf(attributes, value);
    const form = { name: 'SOFTMAX', options: [{ float32: 1 }] } as const;
    if (axis === value.shape.length - 1) return [writer.write(form, [input!], value)];
    const perm = value.shape.map((_, k) => k);
    [perm[axis], perm[perm.length - 1]] = [perm.length - 1, axis];
    const turned = writer.add('Transpose', [input!], { perm: { ints: perm } });
    return [writer.add('Transpose', [writer.write(form, [turned], writer.of(turned))], { perm: { ints: perm } })];
  },
  Cast(writer, [input], { to }) {
    const from = writer.of(input!);
    const type = int(to) === onnxType('float32') ? 'float32' : 'int32';
    if (from.type === type) return [input!];
    const options = [{ int8: tensorTypeNumber(from.type) }, { int8: tensorTypeNumber(type) }];
    return [writer.write({ name: 'CAST', options }, [input!], { type, shape: from.shape })];
  },
  Where(writer, inputs) {
    const [when, then, otherwise] = inputs.map((input) => writer.of(input)) as [Value, Value, Value];
    const shape = broadcast(when.shape, broadcast(then.shape, otherwise.shape));
    return [writer.write({ name: 'SELECT_V2', options: [] }, inputs, { type: then.type, shape })];
  },
  Concat(writer, inputs, attributes) {
    const parts = inputs.map((input) => writer.of(input));
    const axis = axisOf(attributes, parts[0]!);
    const length = parts.reduce((sum, { shape }) => sum + shape[axis]!, 0);
    const shape = parts[0]!.shape.with(axis, length);
    return [writer.write({ name: 'CONCATENATION', options: [{ int32: axis }] }, inputs, { ...parts[0]!, shape })];
  },
  Gather(writer, inputs, attributes) {
    const [from, places] = inputs.map((input) => writer.of(input)) as [Value, Value];
    const axis = axisOf(attributes, from);
    const shape = [...from.shape.slice(0, axis), ...places.shape, ...from.shape.slice(axis + 1)];
    return [writer.write({ name: 'GATHER', options: [{ int32: axis }] }, inputs, { ...from, shape })];
  },
  /** The product of a table [N, K] and K rows of constants. */
  MatMul(writer, [table, factors]) {
    const [rows, matrix] = [writer.of(table!), writer.of(factors!)];
    const turned = writer.add('Transpose', [factors!], { perm: { ints: [1, 0] } });
    const shape = [...rows.shape.slice(0, -1), matrix.shape[1]!];
    const options = [{ int8: 0 }, { int8: 0 }, { int8: 1 }];
    return [writer.write({ name: 'FULLY_CONNECTED', options }, [table!, turned, ''], { type: 'float32', shape })];
  },
  Reshape(writer, [input, sizes]) {
    const from = writer.of(input!);
    const shape = closed(numbersOf(writer.of(sizes!)), from.shape);
    if (String(shape) === String(from.shape)) return [input!];
    const size = writer.ints([shape.length], shape);
    return [writer.write({ name: 'RESHAPE', options: [{ int32s: shape }] }, [input!, size], { ...from, shape })];
  },
  Unsqueeze(writer, [input, axes]) {
    const shape = [...writer.of(input!).shape];
    for (const axis of numbersOf(writer.of(axes!))) shape.splice(axis, 0, 1);
    return [writer.add('Reshape', [input!, writer.ints([shape.length], shape)])];
  },
  Slice(writer, [input, ...places]) {
    const from = writer.of(input!);
    const [[start], [end], [axis]] = places.map((place) => numbersOf(writer.of(place))) as [
      number[],
      number[],
      number[],
    ];
    const begin = from.shape.map((_, k) => (k === axis ? start! : 0));
    const shape = from.shape.map((size, k) => (k === axis ? Math.min(end!, size) - start! : size));
    const bounds = [begin, shape].map((numbers) => writer.ints([numbers.length], numbers));
    return [writer.write({ name: 'SLICE', options: [] }, [input!, ...bounds], { ...from, shape })];
  },
  Transpose(writer, [input], attributes) {
    const from = writer.of(input!);
    const perm = (attributes['perm'] as { ints: readonly number[] }).ints;
    const order = writer.ints([perm.length], perm);
    const shape = perm.map((axis) => from.shape[axis]!);
    return [writer.write({ name: 'TRANSPOSE', options: [] }, [input!, order], { ...from, shape })];
  },
  ReduceMax(writer, [input, axes]) {
    const from = writer.of(input!);
    const along = numbersOf(writer.of(axes!));
    const shape = from.shape.filter((_, k) => !along.includes(k));
    return [writer.write({ name: 'REDUCE_MAX', options: [{ int8: 0 }] }, [input!, axes!], { ...from, shape })];
  },
  ArgMax(writer, [input], attributes) {
    const from = writer.of(input!);
    const axis = axisOf(attributes, from);
    const shape = from.shape.filter((_, k) => k !== axis);
    const options = [{ int8: tensorTypeNumber('int32') }];
    return [writer.write({ name: 'ARG_MAX', options }, [input!, writer.ints([], [axis])], { type: 'int32', shape })];
  },
  /** The highest of a list, and their places. */
  TopK(writer, [input, count]) {
    const from = writer.of(input!);
    const shape = [numbersOf(writer.of(count!))[0]!];
    const most = writer.ints([], shape);
    return writer.writeMany(
      { name: 'TOPK_V2', options: [] },
      [input!, most],
      [
        { ...from, shape },
        { type: 'int32', shape },
      ],
    );
  },
};

function int(value: AttributeValue | undefined): number {
  return value && 'int' in value ? value.int : 0;
}

function axisOf({ axis }: NodeAttributes, { shape }: Value): number {
  const asked = int(axis);
  return asked < 0 ? asked + shape.length : asked;
}

function numbersOf({ numbers }: Value): readonly number[] {
  if (numbers === null) throw new RangeError('Sizes and places are constants in TensorFlow Lite.');
  return numbers;
}

/** With the one size that -1 leaves open. */
function closed(sizes: readonly number[], from: readonly number[]): number[] {
  const product = (numbers: readonly number[]) => numbers.reduce((a, b) => a * b, 1);
  const known = product(sizes.filter((size) => size !== -1));
  return sizes.map((size) => (size === -1 ? product(from) / known : size));
}

function broadcast(one: readonly number[], other: readonly number[]): number[] {
  const rank = Math.max(one.length, other.length);
  return Array.from({ length: rank }, (_, k) => {
    const [a, b] = [one, other].map((shape) => shape[shape.length - rank + k] ?? 1) as [number, number];
    return a === 1 ? b : a;
  });
}
