import { onnxType } from '../../onnx/face/model-files.ts';
import { refusalToEdit, TfliteEditor, type NewTensor } from '../../tflite/edit-model.ts';
import { readTfliteModel, type TfliteSummary } from '../../tflite/read-model.ts';
import { detectionPostprocess } from '../modules/tflite-limits.ts';
import { fileFindings } from '../modules/file-findings.ts';
import { reasonsAgainst } from '../modules/module-finding.ts';
import type { Detections, Head } from '../structure/family.ts';
import { FitError } from '../structure/fit-error.ts';
import type { FitRequest } from '../source/fit-request.ts';
import type { FitSource } from '../source/fit-source.ts';
import type { ModelStructure } from '../structure/model-structure.ts';
import { readOptions } from '../structure/options.ts';
import { detailNames } from '../../../machine/vision/face/results.ts';
import { detailOutputs } from '../attach/details.ts';
import { clipped, describeEnd, type Rewrite, type Rewritten } from '../source/rewrite-graph.ts';
import { tfliteEnds } from './tflite-ends.ts';
import { ontoFrame, paddingOf, tfliteLetterboxOptions, type Padding } from './tflite-letterbox.ts';
import { addTflitePrologue } from './tflite-prologue.ts';
import { tfliteStructure } from './tflite-structure.ts';
import { TfliteWriter } from './tflite-writer.ts';

/** @throws ModelError not-tflite, unsupported-tensor */
export function openTfliteSource(bytes: Uint8Array, request: FitRequest): FitSource {
  const summary = readTfliteModel(bytes);
  const structure = tfliteStructure(bytes, summary, request.labels ?? null);
  const editor = new TfliteEditor(bytes);
  let boundary: Boundary = { inputs: editor.inputs, outputs: editor.outputs };
  return {
    format: 'tflite',
    structure,
    refuseWhatFits: () => refuseWhatFits(summary),
    letterboxOptions: (preprocessing) => tfliteLetterboxOptions(preprocessing, request),
    rewrite(rewrite) {
      const refusal = refusalToEdit(bytes);
      if (refusal !== null)
        throw new FitError('not-in-tflite', `This TensorFlow Lite file cannot be rewritten. ${refusal}`);
      const { rewritten, ...written } = rewriteTflite(editor, structure, rewrite);
      boundary = written;
      return rewritten;
    },
    encode(metadata) {
      const said = Object.entries(metadata).filter((entry): entry is [string, string] => entry[1] !== null);
      return editor.write({ ...boundary, metadata: Object.fromEntries(said) });
    },
  };
}

/** Tensors of the file, by number. */
interface Boundary {
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

/**
 * Boxes that the machine's own operator made are found by their shapes, and the names of a fitted model are those that the vision service
 * looks for.
 */
function refuseWhatFits({ file, inputs, outputs }: TfliteSummary): void {
  const isNamed = inputs[0]?.name === 'image' && outputs.every(({ name }) => machineOutputs.includes(name));
  const isDetector = outputs.length === 4 && file.operators.some(({ name }) => name === detectionPostprocess);
  if (!isNamed && !isDetector) return;
  if (reasonsAgainst(fileFindings({ format: 'tflite', facts: file })).length > 0) return;
  const names = outputs.map(({ name }) => name).join(', ');
  throw new FitError(
    'already-fits',
    `The machine takes this model as it is: input ${inputs[0]!.name}, outputs ${names}.`,
  );
}

const machineOutputs: readonly string[] = [
  'location',
  'category',
  'score',
  'probability',
  ...Object.values(detailNames),
];

function rewriteTflite(
  editor: TfliteEditor,
  { outputs }: ModelStructure,
  { recognition, picture, size, preprocessing, options }: Rewrite,
): Boundary & { readonly rewritten: Rewritten } {
  if (editor.inputs.length > 1)
    throw new FitError(
      'not-this-family',
      `The model has ${editor.inputs.length} inputs, and the machine fills one. Convert it with its picture as the only input.`,
    );
  const padding = paddingOf(options, picture, size, preprocessing);
  const prologue = addTflitePrologue(editor, preprocessing, padding);
  const writer = new TfliteWriter(editor, 'behind');
  const read = new Map<string, string>();
  const output = (name: string) => {
    const known =
      read.get(name) ??
      readOutput(
        editor,
        writer,
        outputs.findIndex((one) => one.name === name),
      );
    read.set(name, known);
    return known;
  };
  const head: Head = { build: writer, ends: tfliteEnds(writer), size, output, ...readOptions(options) };
  const attached = recognition.attach(head);
  const named =
    attached.kind === 'classifications'
      ? { probability: attached.probability }
      : detections(writer, attached, attached.rows ?? head.number('maxDetections'), padding);
  // In a model that was fitted before, the tensors that come out no more must not keep the machine's names.
  for (const index of editor.outputs) {
    const { name } = editor.tensor(index);
    if (machineOutputs.includes(name)) editor.renameTensor(index, `sightglass/source_${name}`);
  }
  const numbers = Object.entries(named).map(([name, tensor]) => {
    const { index } = writer.of(tensor);
    editor.renameTensor(index, name);
    return index;
  });
  return {
    inputs: [prologue.input],
    outputs: numbers,
    rewritten: { attached, feeding: prologue.feeding, added: [...prologue.added, ...describeEnd(attached, options)] },
  };
}

/** An output of the network as float32, whatever it is stored as. */
function readOutput(editor: TfliteEditor, writer: TfliteWriter, place: number): string {
  const index = editor.outputs[place]!;
  const { type, shape, scale } = editor.tensor(index);
  const stored = writer.read(`output ${place}`, index, type as NewTensor['type'], shape);
  if (type === 'float32') return stored;
  if (scale.length > 0 || type === 'float16')
    return writer.write({ name: 'DEQUANTIZE', options: [] }, [stored], { type: 'float32', shape });
  return writer.add('Cast', [stored], { to: { int: onnxType('float32') } });
}

function detections(
  writer: TfliteWriter,
  attached: Detections,
  rows: number,
  padding: Padding | null,
): Readonly<Record<string, string>> {
  const { location, category, score } = attached;
  const placed = padding && ((boxes: string) => ontoFrame(writer, boxes, padding));
  const details = detailOutputs({ build: writer }, attached, rows, placed).map(({ name, tensor }) => [name, tensor]);
  return {
    location: clipped(writer, placed ? placed(location) : location),
    category,
    score,
    ...Object.fromEntries(details),
  };
}
