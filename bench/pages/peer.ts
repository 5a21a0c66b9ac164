import { parseMachineConfig } from '../../src/machine/config/parse/parse-machine-config.ts';
import { decodingAlone } from '../../src/models/fit/decoding-alone.ts';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import { loadFont } from '../../src/platform/browser/media/load-font.ts';
import { loadStretchKernel } from '../../src/platform/browser/wasm/load-stretch-kernel.ts';
import { createOnnxRuntime } from '../../src/platform/browser/onnxruntime/onnxruntime.ts';
import { createPictureIo } from '../../src/platform/browser/media/picture-io.ts';
import { drawBenchOverlay, type OverlayBox } from '../../src/app/kit/picture/draw-overlay.ts';
import { detectionsAt } from '../../src/machine/vision/filter/filter-detections.ts';
import { serviceFilter } from '../../src/machine/vision/filter/service-filter.ts';
import { createMachine } from '../../src/machine/vision/machine.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';
import { cameraFrames } from './camera-frames.ts';
import { classNames, side, yoloModel } from './yolo-model.ts';

// Compares three implementations from a camera frame to drawn boxes, one frame at a time on one thread: our pipeline,
// @ultralytics/yolo (which must run in a page), and a plain one. All run the same network with the same ONNX Runtime.

/** The part of @ultralytics/yolo that is measured. It is loaded from the folder that the figure copied it to, not bundled. */
interface PeerModule {
  readonly YOLO: {
    load(
      model: Blob,
      options: { readonly device: 'cpu'; readonly ortBaseUrl: string },
    ): Promise<{ readonly device: string; predict(picture: ImageBitmap): Promise<PeerResults> }>;
  };
  annotate(canvas: HTMLCanvasElement, picture: ImageBitmap, results: unknown): Promise<void>;
}

interface PeerResults {
  readonly boxes: readonly unknown[];
  /** ms */
  readonly speed: { readonly inference: number };
}

/** An implementation: draws the boxes of a frame on a canvas; returns their number and the time of the model itself. */
type Way = (frame: VideoFrame) => Promise<{ readonly boxes: number; readonly inferenceMs: number }>;

const size = { widthPx: 1280, heightPx: 720 };
const contextOf = (id: string): CanvasRenderingContext2D =>
  (document.querySelector(`#${id}`) as HTMLCanvasElement).getContext('2d')!;

/** `letterbox`: the frame is resized with the machine's exact arithmetic, or passed in full size and padded in the graph. */
async function openOurs(model: Uint8Array<ArrayBuffer>, letterbox: 'stretch' | 'pad'): Promise<Way> {
  const fitted = fitModel(model, { options: { letterbox } });
  const { config } = parseMachineConfig(JSON.stringify(fitted.configuration));
  const session = await createOnnxRuntime().open(fitted.model, 'wasm');
  const [kernel, font] = await Promise.all([loadStretchKernel(), loadFont(document.baseURI)]);
  const nowMs = (): number => performance.now();
  const machine = createMachine(config, { v: { session, labels: null } }, { font, stretchKernel: kernel, nowMs });
  const pictures = createPictureIo(kernel.toRgba, kernel.shrinkToRgba, kernel.planesMemory);
  const [service] = config.visionServices;
  const filter = serviceFilter(service!);
  const shown = (document.querySelector('#shown') as HTMLCanvasElement).getContext('bitmaprenderer')!;
  const overlay = contextOf('overlay');
  return async (videoFrame) => {
    const frame = await pictures.read(videoFrame);
    const { result, failure } = await machine.run({ frame, cameraName: null, serviceName: 'v' });
    if (!result?.detections) throw new Error(failure?.message ?? 'The model saw no boxes.');
    const detections = detectionsAt(result.detections, filter.rows(result.detections).kept);
    shown.transferFromImageBitmap(await pictures.picture(frame, null)); // like the app's stage, which draws boxes on an overlay
    overlay.clearRect(0, 0, size.widthPx, size.heightPx);
    const boxes = detections.map(({ label, score, xMin, yMin, xMax, yMax }, row): OverlayBox => ({
      row,
      label,
      score,
      colour: '#4bc3f0',
      kept: true,
      selected: false,
      hovered: false,
      faded: false,
      corners: [
        { x: xMin, y: yMin },
        { x: xMax, y: yMin },
        { x: xMax, y: yMax },
        { x: xMin, y: yMax },
      ],
    }));
    drawBenchOverlay(overlay, boxes, { x: 0, y: 0, width: size.widthPx, height: size.heightPx });
    pictures.recycle(frame);
    return { boxes: detections.length, inferenceMs: result.timings.inferenceMs };
  };
}

async function openPeer(model: Uint8Array<ArrayBuffer>, peerUrl: string, ortBaseUrl: string): Promise<Way> {
  const { YOLO, annotate } = (await import(/* @vite-ignore */ peerUrl)) as PeerModule;
  const yolo = await YOLO.load(new Blob([model]), { device: 'cpu', ortBaseUrl });
  if (yolo.device !== 'cpu') throw new Error(`The peer ran on ${yolo.device}, not on the CPU.`);
  const canvas = document.querySelector('#peer') as HTMLCanvasElement;
  return async (frame) => {
    const picture = await createImageBitmap(frame); // its API does not accept a VideoFrame
    const results = await yolo.predict(picture);
    await annotate(canvas, picture, results);
    picture.close();
    return { boxes: results.boxes.length, inferenceMs: results.speed.inference };
  };
}

/** Only `session.run` on a constant tensor: the lower bound for any implementation. */
async function openBare(model: Uint8Array<ArrayBuffer>) {
  const session = await createOnnxRuntime().open(model, 'wasm');
  const data = new Float32Array(3 * side * side).map((_, at) => (at % 255) / 255);
  const feeds = { images: { dtype: 'float32', shape: [1, 3, side, side], data } } as const;
  return { run: runOf(session, feeds), session, output: (await session.run(feeds))['output0']! };
}

/** The nodes that fitting appends to the network, with suppression: our `session.run` includes work that others do in JavaScript. */
async function openTail(model: Uint8Array<ArrayBuffer>, output: Tensor): Promise<Way> {
  const tail = decodingAlone(model, { options: { letterbox: 'stretch' } })!;
  const session = await createOnnxRuntime().open(tail.model, 'wasm');
  return runOf(session, { 'output 0': { ...output, data: output.data.slice() } });
}

function runOf(session: Session, feeds: Readonly<Record<string, Tensor>>): Way {
  return async () => {
    await session.run(feeds);
    return { boxes: 0, inferenceMs: 0 };
  };
}

type Session = Awaited<ReturnType<ReturnType<typeof createOnnxRuntime>['open']>>;

/** The usual implementation of web pages: a canvas resizes, loops pack, select and suppress. Its pixels differ from the machine's. */
function plainWay(session: Session): Way {
  const reader = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true })!;
  const data = new Float32Array(3 * side * side);
  const stage = contextOf('plain');
  return async (frame) => {
    reader.drawImage(frame, 0, 0, side, side);
    const pixels = reader.getImageData(0, 0, side, side).data;
    const plane = side * side;
    for (let i = 0, p = 0; i < plane; i++, p += 4) {
      data[i] = pixels[p]! / 255;
      data[plane + i] = pixels[p + 1]! / 255;
      data[2 * plane + i] = pixels[p + 2]! / 255;
    }
    const startMs = performance.now();
    const { output0 } = await session.run({ images: { dtype: 'float32', shape: [1, 3, side, side], data } });
    const inferenceMs = performance.now() - startMs;
    const kept = suppressed(candidates(output0!.data as Float32Array));
    stage.drawImage(frame, 0, 0);
    stage.strokeStyle = stage.fillStyle = '#ff0000';
    stage.lineWidth = 2;
    stage.font = '30px sans-serif';
    const [scaleX, scaleY] = [size.widthPx / side, size.heightPx / side];
    for (const { x, y, width, height, score, label } of kept) {
      stage.strokeRect(x * scaleX, y * scaleY, width * scaleX, height * scaleY);
      stage.fillText(`${label}: ${score.toFixed(2)}`, x * scaleX, y * scaleY + 30);
    }
    return { boxes: kept.length, inferenceMs };
  };
}

interface Candidate {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly score: number;
  readonly label: string;
}

const leastScore = 0.25;
const mostOverlap = 0.7;

function candidates(output: Float32Array): Candidate[] {
  const columns = output.length / (4 + classNames.length);
  const found: Candidate[] = [];
  for (let column = 0; column < columns; column++) {
    let best = 0;
    for (let k = 1; k < classNames.length; k++)
      if (output[(4 + k) * columns + column]! > output[(4 + best) * columns + column]!) best = k;
    const score = output[(4 + best) * columns + column]!;
    if (score < leastScore) continue;
    const [x, y, width, height] = [0, 1, 2, 3].map((k) => output[k * columns + column]!) as [
      number,
      number,
      number,
      number,
    ];
    found.push({ x: x - width / 2, y: y - height / 2, width, height, score, label: classNames[best]! });
  }
  return found;
}

function suppressed(found: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of found.toSorted((a, b) => b.score - a.score)) {
    const isTaken = kept.some((other) => other.label === candidate.label && overlap(other, candidate) > mostOverlap);
    if (!isTaken) kept.push(candidate);
  }
  return kept;
}

function overlap(a: Candidate, b: Candidate): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / (a.width * a.height + b.width * b.height - width * height);
}

/**
 * For each implementation and round: the total time in ms, and the time besides the model's; also the number of boxes drawn
 * for the last frame. `peer` = null: it is not installed.
 */
async function measure(rounds: number, peer: { readonly url: string; readonly ortUrl: string } | null) {
  const model = yoloModel();
  const bare = await openBare(model);
  const ways: Record<string, Way> = {
    bare: bare.run,
    tail: await openTail(model, bare.output),
    stretched: await openOurs(model, 'stretch'),
    padded: await openOurs(model, 'pad'),
    plain: plainWay(bare.session),
    ...(peer && { peer: await openPeer(model, absolute(peer.url), absolute(peer.ortUrl)) }),
  };
  const times: Record<string, number[]> = {};
  const beyond: Record<string, number[]> = {};
  const boxes: Record<string, number> = {};
  const nextFrame = await cameraFrames(size.widthPx, size.heightPx);
  const warmUp = 3;
  for (let round = 0; round < rounds + warmUp; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const frame = await nextFrame();
      const startMs = performance.now();
      const drawn = await way(frame);
      const ms = performance.now() - startMs;
      boxes[name] = drawn.boxes;
      frame.close();
      if (round < warmUp) continue;
      (times[name] ??= []).push(ms);
      (beyond[name] ??= []).push(ms - drawn.inferenceMs);
    }
  }
  return { times, beyond, boxes };
}

const absolute = (url: string): string => new URL(url, document.baseURI).href;

Object.assign(globalThis, { measure });
