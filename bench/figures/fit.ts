import { gridRows } from '../../src/models/fit/attach/grid.ts';
import { decodeModel, GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { encodeModel } from '../../src/models/onnx/encode-model.ts';
import { slice } from '../../src/models/onnx/versioned-operators.ts';
import type { BenchTools, Figure, Measurement } from '../figure.ts';
import { sharedModel, sharedPicture } from '../shared-data.ts';

/** The times of one export in a new worker. */
interface ExportTimes {
  readonly medianMs: number;
  readonly leastMs: number;
  readonly archiveBytes: number;
}

interface InterpretationTimes {
  readonly inferenceMs: number;
  readonly outputsMs: number;
  readonly inputMs: number;
  /** number of interpretations found */
  readonly found: Readonly<Record<'outputs' | 'input', number>>;
}

const rounds = 7;
const model = 'yolox_nano_416.onnx';

export const figure: Figure = {
  title: 'a model of 4 MB: from the click to its machine-ready files, and the ways to read it',
  async measure(tools) {
    const bytes = await sharedModel(model);
    if (!bytes) {
      tools.note(`left out, as ../shared/data/models/${model} is not at hand`);
      return [];
    }
    return [await exported(tools, bytes), ...(await interpretations(tools, bytes))];
  },
};

async function exported({ measureOnPage, note }: BenchTools, bytes: Uint8Array): Promise<Measurement> {
  const { medianMs, leastMs, archiveBytes } = await measureOnPage<ExportTimes>(
    'fit-export',
    dataUrl(bytes, 'application/octet-stream'),
    rounds,
  );
  note(`least ${leastMs.toFixed(0)} ms; ${(archiveBytes / 1e6).toFixed(1)} MB packed`);
  return { name: 'machine-ready export, a worker started for it', value: medianMs / 1000, unit: 's', atMost: 2 };
}

async function interpretations({ measureOnPage, note }: BenchTools, bytes: Uint8Array): Promise<Measurement[]> {
  const { found, inferenceMs, outputsMs, inputMs } = await measureOnPage<InterpretationTimes>(
    'interpretations',
    dataUrl(withTwoOutputs(bytes), 'application/octet-stream'),
    dataUrl(await sharedPicture('satya.jpg'), 'image/jpeg'),
    { remap_input_names: { images: 'image' }, remap_output_names: { boxes: 'location', scores: 'score' } },
    rounds,
  );
  if (found.outputs === 0) throw new Error('The assistant found no way to read the model.');
  note(
    `one inference ${inferenceMs.toFixed(0)} ms; ${found.outputs} ways to read the outputs in ${outputsMs.toFixed(0)} ms, ${found.input} ways to feed it in ${inputMs.toFixed(0)} ms`,
  );
  return [
    {
      name: 'assistant for interpretations, beyond its one inference',
      value: (outputsMs - inferenceMs) / 1000,
      unit: 's',
      atMost: 1.5,
    },
    { name: 'ways to feed the model, in inferences', value: inputMs / inferenceMs, unit: '×' },
  ];
}

/** A model with separate tensors for boxes and scores, which the fit assistant can read: 3549 candidates, 80 classes. */
function withTwoOutputs(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const source = decodeModel(bytes);
  const [output] = source.graph.output.splice(0);
  const build = new GraphBuilder(source.graph, { opset: 11, irVersion: Number(source.irVersion) });
  const columns = (from: number, to: number) => slice(build, output!.name, 2, from, to);
  const cells = gridRows({ widthPx: 416, heightPx: 416 }, [8, 16, 32]);
  const ofCells = (width: number, values: readonly number[]) => build.floats([1, cells.length, width], values);
  const corners = ofCells(
    2,
    cells.flatMap(({ x, y }) => [x, y]),
  );
  const strides = ofCells(
    1,
    cells.map(({ stride }) => stride),
  );
  const centre = build.add('Mul', [build.add('Add', [columns(0, 2), corners]), strides]);
  const half = build.add('Mul', [
    build.add('Exp', [columns(2, 4)]),
    build.add('Mul', [strides, build.floats([], [0.5])]),
  ]);
  const boxes = build.add('Concat', [build.add('Sub', [centre, half]), build.add('Add', [centre, half])], {
    axis: { int: 2 },
  });
  build.output('boxes', boxes, 'float32', [1, cells.length, 4]);
  build.output('scores', build.add('Mul', [columns(4, 5), columns(5, 85)]), 'float32', [1, cells.length, 80]);
  return encodeModel(source);
}

/** Bytes as a data URL, because only text can be passed to a page. */
function dataUrl(bytes: Uint8Array, type: string): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}
