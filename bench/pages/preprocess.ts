import { ImageProcessor, RawImage } from '@huggingface/transformers';
import { drawMachineOverlay, type OverlayBox } from '../../src/app/kit/picture/draw-overlay.ts';
import { loadStretchKernel } from '../../src/platform/browser/wasm/load-stretch-kernel.ts';
import { createPictureIo } from '../../src/platform/browser/media/picture-io.ts';
import { WasmStretchKernel } from '../../src/platform/kernel/wasm-kernel.ts';
import { machineBoxOrder } from '../../src/machine/vision/decode/box-order.ts';
import { decodeDetections } from '../../src/machine/vision/decode/decode-detections.ts';
import { labelTable, numberTexts } from '../../src/machine/vision/decode/labels.ts';
import { filterDetections } from '../../src/machine/vision/filter/filter-detections.ts';
import { serviceThresholds } from '../../src/machine/vision/filter/thresholds.ts';
import type { PictureIo } from '../../src/platform/ports/picture-io.ts';
import type { InputSpec } from '../../src/machine/vision/preprocess/input-spec.ts';
import { isYuvFrame } from '../../src/machine/vision/yuv/yuv-frame.ts';
import { boxOutputs } from './box-outputs.ts';
import { cameraFrames } from './camera-frames.ts';

// Implementations of everything except inference for one camera frame. They take turns and get separate frames, because
// reading a frame a second time is cheaper.

const size = { widthPx: 1280, heightPx: 720 };
const side = 640;
const labels = numberTexts(80);
const outputs = boxOutputs(300, labels.length);
const stage = (document.querySelector('#stage') as HTMLCanvasElement).getContext('2d')!;

const spec: InputSpec = {
  tensorName: 'image',
  dtype: 'float32',
  layout: 'nchw',
  widthPx: side,
  heightPx: side,
  bgr: false,
  mean: [0.5, 0.5, 0.5],
  stdDev: [0.5, 0.5, 0.5],
};

const kernel = await loadStretchKernel();
if (!(kernel instanceof WasmStretchKernel)) throw new Error('The WebAssembly kernel did not load.');
const byPlanes = createPictureIo(kernel.toRgba, kernel.shrinkToRgba, kernel.planesMemory);
const byColours = createPictureIo();
/** number of frames of the first implementation that were read as YUV planes */
let planarFrames = 0;
const table = labelTable(labels);
const thresholds = serviceThresholds(labels, { defaultMinimumConfidence: 0.5, labelConfidences: {} });

/** The app's implementation, without the model. */
async function sightglass(videoFrame: VideoFrame, pictures: PictureIo): Promise<ArrayLike<number>> {
  const frame = await pictures.read(videoFrame);
  if (isYuvFrame(frame)) planarFrames++;
  const tensor = kernel.stretchToTensor(frame, spec);
  pictures.recycle(frame);
  const raw = decodeDetections(outputs, {
    names: { location: 'location', category: 'category', score: 'score' },
    labels: table,
    boxOrder: machineBoxOrder,
    inputWidthPx: side,
    inputHeightPx: side,
    frameWidthPx: size.widthPx,
    frameHeightPx: size.heightPx,
  });
  const { kept } = filterDetections(raw, thresholds);
  stage.clearRect(0, 0, size.widthPx, size.heightPx);
  const boxes = Array.from(kept, (row): OverlayBox => {
    const [xMin, yMin, xMax, yMax] = raw.box.subarray(4 * row, 4 * row + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const corners = [
      { x: xMin, y: yMin },
      { x: xMax, y: yMin },
      { x: xMax, y: yMax },
      { x: xMin, y: yMax },
    ];
    const label = raw.labels[raw.labelIndex[row]!]!;
    return {
      row,
      label,
      score: raw.score[row]!,
      corners,
      colour: '#4bc3f0',
      kept: true,
      selected: false,
      hovered: false,
      faded: false,
    };
  });
  drawMachineOverlay(stage, boxes, 1);
  return tensor.data as Float32Array;
}

const reader = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true })!;
const reused = new Float32Array(3 * side * side);

/** A good plain implementation: a canvas resizes, one loop packs. Its pixels differ from the machine's. */
async function plain(frame: VideoFrame): Promise<ArrayLike<number>> {
  reader.drawImage(frame, 0, 0, side, side);
  const { data } = reader.getImageData(0, 0, side, side);
  const plane = side * side;
  for (let i = 0, p = 0; i < plane; i++, p += 4) {
    reused[i] = data[p]! / 127.5 - 1;
    reused[plane + i] = data[p + 1]! / 127.5 - 1;
    reused[2 * plane + i] = data[p + 2]! / 127.5 - 1;
  }
  drawPlainly();
  return reused;
}

const location = outputs.get('location')!.data as Float32Array;
const category = outputs.get('category')!.data as Float32Array;
const score = outputs.get('score')!.data as Float32Array;

function drawPlainly(): void {
  stage.clearRect(0, 0, size.widthPx, size.heightPx);
  stage.strokeStyle = stage.fillStyle = '#ff0000';
  stage.lineWidth = 2;
  stage.font = '30px sans-serif';
  for (let i = 0; i < score.length; i++) {
    if (score[i]! < 0.5) continue;
    const x = location[4 * i + 1]! * size.widthPx;
    const y = location[4 * i]! * size.heightPx;
    stage.strokeRect(x, y, location[4 * i + 3]! * size.widthPx - x, location[4 * i + 2]! * size.heightPx - y);
    stage.fillText(`${labels[category[i]!]}: ${score[i]!.toFixed(2)}`, x, y + 30);
  }
}

const processor = new ImageProcessor({
  do_resize: true,
  size: { width: side, height: side },
  resample: 2,
  do_rescale: true,
  rescale_factor: 1 / 255,
  do_normalize: true,
  image_mean: [0.5, 0.5, 0.5],
  image_std: [0.5, 0.5, 0.5],
});
const whole = new OffscreenCanvas(size.widthPx, size.heightPx).getContext('2d', { willReadFrequently: true })!;

async function transformers(frame: VideoFrame): Promise<ArrayLike<number>> {
  whole.drawImage(frame, 0, 0);
  const { pixel_values: tensor } = await processor([RawImage.fromCanvas(whole.canvas)]);
  drawPlainly();
  return tensor.data as Float32Array;
}

const ways = {
  sightglass: (frame: VideoFrame) => sightglass(frame, byPlanes),
  colours: (frame: VideoFrame) => sightglass(frame, byColours),
  plain,
  transformers,
};

interface Measured {
  readonly times: Readonly<Record<keyof typeof ways, readonly number[]>>;
  /** the fraction of the first implementation's frames that were read as planes */
  readonly planarShare: number;
  /** why frames are read as RGB; '' if they are read as planes */
  readonly whyColours: string;
}

async function measure(rounds: number): Promise<Measured> {
  const nextFrame = await cameraFrames(size.widthPx, size.heightPx);
  const times: Record<keyof typeof ways, number[]> = { sightglass: [], colours: [], plain: [], transformers: [] };
  let whyColours = '';
  const warmUp = 10;
  for (let round = 0; round < rounds + warmUp; round++) {
    for (const name of ['sightglass', 'colours', 'plain', 'transformers'] as const) {
      if (round === warmUp && name === 'sightglass') planarFrames = 0;
      const frame = await nextFrame();
      const startMs = performance.now();
      const tensor = await ways[name](frame);
      const ms = performance.now() - startMs;
      whyColours = byPlanes.whyColours(frame);
      frame.close();
      if (tensor.length !== 3 * side * side) throw new Error(`${name} made ${tensor.length} numbers.`);
      if (round >= warmUp) times[name].push(ms);
    }
  }
  return { times, planarShare: planarFrames / rounds, whyColours };
}

Object.assign(globalThis, { measure });
