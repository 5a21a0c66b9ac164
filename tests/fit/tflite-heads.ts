import { TfliteEditor } from '../../src/models/tflite/edit-model.ts';
import { TfliteWriter } from '../../src/models/fit/tflite/tflite-writer.ts';
import { tinyTflite } from '../tflite-models.ts';

const typeNumbers = { float32: 0, uint8: 3, int8: 9 } as const;

export interface TfliteHead {
  /** default 64×64 */
  readonly widthPx?: number;
  readonly heightPx?: number;
  readonly layout?: 'nhwc' | 'nchw';
  readonly input?: keyof typeof typeNumbers;
  readonly inputQuantization?: { readonly scale: number; readonly zeroPoint: number };
  /** what the graph makes of the picture before its first layer; default: nothing */
  readonly begin?: (build: TfliteWriter, image: string) => string;
}

/** What a head is written with. */
export interface TfliteHeadTools {
  readonly build: TfliteWriter;
  /** numbers that a layer with weights gives, whatever the picture */
  readonly layer: (shape: readonly number[], values: ArrayLike<number>) => string;
  /** the same tensor in quantised steps */
  readonly quantised: (tensor: string, type: 'int8' | 'uint8', scale: number, zeroPoint: number) => string;
}

/** Builds a small .tflite file with the structure of a real one's head; `head` returns its outputs by name. */
export function tfliteHead(
  { widthPx = 64, heightPx = 64, layout = 'nhwc', input = 'float32', inputQuantization, begin }: TfliteHead,
  head: (tools: TfliteHeadTools) => Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const shape = layout === 'nhwc' ? [1, heightPx, widthPx, 3] : [1, 3, heightPx, widthPx];
  const quantization = inputQuantization && {
    scale: [inputQuantization.scale],
    zeroPoint: [inputQuantization.zeroPoint],
  };
  const tensors = [{ name: 'input_1', type: typeNumbers[input], shape, ...(quantization && { quantization }) }];
  const editor = new TfliteEditor(tinyTflite({ tensors, operators: [], inputs: [0], outputs: [0] }));
  const build = new TfliteWriter(editor, 'behind');
  const image = build.read('image', 0, input, shape);
  const floats =
    input === 'float32' ? image : build.write({ name: 'DEQUANTIZE', options: [] }, [image], { type: 'float32', shape });
  const numbers = build.add('Reshape', [begin ? begin(build, floats) : floats, build.ints([2], [1, -1])]);
  const first = build.add('Slice', [numbers, ...[0, 3, 1].map((place) => build.ints([1], [place]))]);
  const outputs = head({
    build,
    layer(sizes, values) {
      const count = values.length;
      const made = build.write(
        { name: 'FULLY_CONNECTED', options: [{ int8: 0 }] },
        [first, build.floats([count, 3], new Float32Array(3 * count)), build.floats([count], values)],
        { type: 'float32', shape: [1, count] },
      );
      return build.add('Reshape', [made, build.ints([sizes.length], sizes)]);
    },
    quantised: (tensor, type, scale, zeroPoint) =>
      build.writeMany(
        { name: 'QUANTIZE', options: [] },
        [tensor],
        [{ type, shape: build.of(tensor).shape, quantization: { scale, zeroPoint } }],
      )[0]!,
  });
  const indices = Object.entries(outputs).map(([name, tensor]) => {
    const { index } = build.of(tensor);
    editor.renameTensor(index, name);
    return index;
  });
  return editor.write({ inputs: [0], outputs: indices, metadata: {} });
}
