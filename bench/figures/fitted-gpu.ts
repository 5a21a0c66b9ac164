import { fitModel } from '../../src/models/fit/fit-model.ts';
import { readModel } from '../../src/models/onnx/read-model.ts';
import { packTensor } from '../../src/machine/vision/preprocess/pack-tensor.ts';
import { stretch } from '../../src/machine/vision/preprocess/stretch.ts';
import type { Figure } from '../figure.ts';
import { sharedModel, sharedPhotograph } from '../shared-data.ts';

/** The largest differences over all pictures. */
interface Differences {
  /** number of detections on the CPU */
  readonly rows: number;
  readonly otherClasses: number;
  /** largest shift of a box's edge, as a fraction of the picture's side */
  readonly location: number;
  readonly score: number;
}

const model = 'FastestDet_ortx.onnx';
const photographs = ['satya.jpg', 'coco/000000000009.jpg', 'coco/000000000034.jpg'];

export const figure: Figure = {
  title: 'FastestDet, fitted, on WebGPU (a software adapter) against the CPU: the same rows in the same order',
  async measure({ measureOnGpu, note }) {
    const bytes = await sharedModel(model);
    if (!bytes) {
      note(`left out, as ../shared/data/models/${model} is not at hand`);
      return [];
    }
    const fitted = fitModel(bytes);
    const { widthPx, heightPx } = fitted.inputSize;
    const { mean, stdDev, colour } = fitted.preprocessing;
    const dtype = readModel(fitted.model).inputs[0]!.dtype as 'float32' | 'uint8';
    const pictures = [];
    for (const path of photographs) {
      const seen = stretch(await sharedPhotograph(path), widthPx, heightPx);
      const { shape, data } = packTensor(seen, widthPx, heightPx, {
        dtype,
        layout: 'nchw',
        bgr: colour === 'bgr',
        mean,
        stdDev,
      });
      pictures.push({ dtype, shape, url: dataUrl(new Uint8Array(data.buffer as ArrayBuffer)) });
    }
    const { rows, otherClasses, location, score } = await measureOnGpu<Differences>(
      'fitted-gpu',
      dataUrl(fitted.model),
      pictures,
    );
    if (rows < photographs.length) throw new Error(`The model shows only ${rows} rows on the CPU.`);
    note(`${rows} rows of ${photographs.length} photographs; scores differ by at most ${score.toExponential(1)}`);
    return [
      { name: 'rows of another class', value: otherClasses, unit: '', atMost: 0 },
      { name: 'boxes apart at most', value: location * Math.max(widthPx, heightPx), unit: 'px', atMost: 0.5 },
      { name: 'scores apart at most, of 0.0001', value: score / 1e-4, unit: '×', atMost: 1 },
    ];
  },
};

function dataUrl(bytes: Uint8Array): string {
  return `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
}
