import { strToU8 } from 'fflate';
import { conversionWithout, foreignOperators } from '../fit/modules/tflite-limits.ts';
import { FlatTable } from './flat-table.ts';
import { builtinOperatorCode, customOperator } from './operator-names.ts';
import { operatorsOf, tensorOf, type TfliteTensor } from './read-tflite.ts';
import { tensorTypeNumber } from './tensor-types.ts';
import { withoutZip } from './without-zip.ts';
import { writeFlatbuffer, type FlatField, type FlatNode } from './write-flatbuffer.ts';
import { optionFields, versionOf, type CustomForm, type OperatorForm } from './written-operators.ts';

export interface NewTensor {
  readonly name: string;
  readonly type: Parameters<typeof tensorTypeNumber>[0];
  readonly shape: readonly number[];
  /** one scale and zero point of the whole tensor */
  readonly quantization?: { readonly scale: number; readonly zeroPoint: number };
  /** the values of a constant */
  readonly data?: ArrayBufferView;
}

/** Number of a tensor's name in the schema. */
const nameField = 3;

interface OperatorTable {
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly node: FlatNode;
}

/** What the written file says of itself; nothing else of the source's description stays. */
export interface Written {
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Adds tensors and operators to a .tflite file. The written file has a new root and new lists in front, and behind them the source as it
 * is: weights and quantisation stay to the bit. Signatures and TFLite Metadata are left out, as both describe the source's boundary.
 * @throws FlatbufferError
 */
export class TfliteEditor {
  readonly #source: Uint8Array;
  readonly #model: FlatTable;
  readonly #graph: FlatTable;
  readonly #tensors: FlatNode[];
  readonly #described: TfliteTensor[];
  readonly #codes: FlatNode[];
  readonly #buffers: FlatNode[];
  readonly #addedCodes = new Map<string, number>();
  readonly #front: OperatorTable[] = [];
  readonly #network: readonly OperatorTable[];
  readonly #end: OperatorTable[] = [];

  constructor(bytes: Uint8Array) {
    this.#source = withoutZip(bytes);
    this.#model = FlatTable.root(this.#source);
    this.#graph = this.#model.tables(2)[0]!;
    const behind = ({ position }: FlatTable): FlatNode => ({ behind: position });
    const tensors = this.#graph.tables(0);
    this.#tensors = tensors.map(behind);
    this.#described = tensors.map(tensorOf);
    this.#codes = this.#model.tables(1).map(behind);
    this.#buffers = this.#model.tables(4).map(behind);
    this.#network = this.#graph
      .tables(3)
      .map((operator) => ({ inputs: operator.int32s(1), outputs: operator.int32s(2), node: behind(operator) }));
  }

  /** The numbers of the inputs of the source's graph. */
  get inputs(): readonly number[] {
    return this.#graph.int32s(1);
  }

  get outputs(): readonly number[] {
    return this.#graph.int32s(2);
  }

  /** The tensor as the file declares it; those that were added are not there. */
  tensor(index: number): TfliteTensor {
    return this.#described[index]!;
  }

  addTensor({ name, type, shape, quantization, data }: NewTensor): number {
    const { scale, zeroPoint } = quantization ?? {};
    this.#tensors.push([
      { int32s: shape },
      { int8: tensorTypeNumber(type) },
      { int32: data ? this.#addBuffer(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)) : 0 },
      { text: name },
      quantization && { table: [undefined, undefined, { float32s: [scale!] }, { int64s: [zeroPoint!] }] },
    ]);
    return this.#tensors.length - 1;
  }

  /** Gives a tensor another name. */
  renameTensor(index: number, name: string): void {
    const node = this.#tensors[index]!;
    if (!('behind' in node)) {
      this.#tensors[index] = node.with(nameField, { text: name });
      return;
    }
    const table = this.#graph.tables(0)[index]!;
    const kept = (field: number): FlatField => {
      const position = table.listAt(field);
      return position === 0 ? undefined : { behind: position };
    };
    this.#tensors[index] = [
      kept(0),
      { int8: table.int8(1) },
      { int32: table.uint32(2) },
      { text: name },
      kept(4),
      { int8: table.int8(5) },
      kept(6),
      undefined,
      { int8: table.int8(8) },
      kept(9),
    ];
  }

  /** Adds an operator before the network, in the order of calls, or behind it. */
  addOperator(
    form: OperatorForm | CustomForm,
    inputs: readonly number[],
    outputs: readonly number[],
    where: 'before' | 'behind',
  ): void {
    const node = [{ int32: this.#codeOf(form) }, { int32s: inputs }, { int32s: outputs }, ...optionFields(form)];
    (where === 'before' ? this.#front : this.#end).push({ inputs, outputs, node });
  }

  /** The file, without operators that nothing that comes out needs. */
  write({ inputs, outputs, metadata }: Written): Uint8Array<ArrayBuffer> {
    const all = [...this.#front, ...this.#network, ...this.#end];
    const operators = needed(all, outputs);
    const entries = Object.entries(metadata).map(([name, text]): FlatNode => [
      { text: name },
      { int32: this.#addBuffer(strToU8(text)) },
    ]);
    const graph: FlatNode = [
      { tables: this.#tensors },
      { int32s: inputs },
      { int32s: outputs },
      { tables: operators.map(({ node }) => node) },
      { text: this.#graph.string(4) },
    ];
    const others = this.#model.tables(2).slice(1);
    const root: readonly FlatField[] = [
      { int32: this.#model.uint32(0) },
      { tables: this.#codes },
      { tables: [graph, ...others.map(({ position }) => ({ behind: position }))] },
      { text: this.#model.string(3) },
      { tables: this.#buffers },
      undefined,
      { tables: entries },
    ];
    return writeFlatbuffer(root, 'TFL3', this.#source);
  }

  #addBuffer(bytes: Uint8Array): number {
    this.#buffers.push([{ bytes }]);
    return this.#buffers.length - 1;
  }

  #codeOf(form: OperatorForm | CustomForm): number {
    const isCustom = 'custom' in form;
    const name = isCustom ? form.custom : form.name;
    const known = this.#addedCodes.get(name);
    if (known !== undefined) return known;
    const code = isCustom ? customOperator : builtinOperatorCode(name);
    // Older readers go by the narrow field, which has no number above 127.
    this.#codes.push([
      { int8: Math.min(code, 127) },
      isCustom ? { text: name } : undefined,
      { int32: versionOf(form) },
      { int32: code },
    ]);
    this.#addedCodes.set(name, this.#codes.length - 1);
    return this.#codes.length - 1;
  }
}

/** The operators that the outputs need, in their order. One without outputs acts by itself and stays. */
function needed(operators: readonly OperatorTable[], outputs: readonly number[]): readonly OperatorTable[] {
  const wanted = new Set(outputs);
  return operators
    .toReversed()
    .filter((operator) => {
      const isNeeded = operator.outputs.length === 0 || operator.outputs.some((output) => wanted.has(output));
      if (isNeeded) for (const input of operator.inputs) wanted.add(input);
      return isNeeded;
    })
    .toReversed();
}

/**
 * Says why a file cannot be edited.
 * @param bytes a .tflite file
 * @returns one or two sentences; null: it can be
 * @throws FlatbufferError
 * @example
 * refusalToEdit(new Uint8Array(2)); // throws: Error
 */
export function refusalToEdit(bytes: Uint8Array): string | null {
  const model = FlatTable.root(bytes);
  const subgraphs = model.tables(2);
  if (model.tables(4).some((buffer) => buffer.uint64(1) > 1))
    return 'Its weights stand behind the flatbuffer by their place in the file, as those beyond 2 GB do.';
  if (subgraphs.some((graph) => graph.tables(3).some((operator) => operator.uint64(9) > 1)))
    return 'Options of its operators stand behind the flatbuffer by their place in the file.';
  const codes = operatorsOf(model);
  const foreign = foreignOperators(codes);
  if (foreign.length > 0)
    return `It uses ${foreign.map(({ name }) => name).join(', ')}, which the machine does not have. ${conversionWithout(foreign)}`;
  if (codes.some(({ name }) => name === 'VAR_HANDLE')) return 'It keeps a state from one frame to the next.';
  return null;
}
