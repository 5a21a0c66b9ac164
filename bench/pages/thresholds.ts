import { mount } from 'svelte';
import '../../src/app/theme.css';
import App from '../../src/app/App.svelte';
import { drawBenchOverlay, type OverlayBox } from '../../src/app/kit/picture/draw-overlay.ts';
import type { VisionClient } from '../../workers/vision/client/vision-client.ts';
import type { FrameResult } from '../../workers/vision/protocol.ts';
import { machineBoxOrder } from '../../src/machine/vision/decode/box-order.ts';
import type { RawDetections } from '../../src/machine/vision/results/detections.ts';
import { decodeDetections } from '../../src/machine/vision/decode/decode-detections.ts';
import { labelTable, numberTexts } from '../../src/machine/vision/decode/labels.ts';
import { boxOutputs } from './box-outputs.ts';
import { createBench, firstDetection, noData, startClient } from './headless-bench.ts';

/** the threshold after a number of moves of a drag; it repeats after 40 */
const settingOf = (move: number): number => 0.05 + (0.9 * (move % 40)) / 40;

const rawFrames = (frameCount: number, boxCount: number): RawDetections[] => {
  const table = labelTable(numberTexts(80));
  return Array.from({ length: frameCount }, (_, index) =>
    decodeDetections(boxOutputs(boxCount, 80, index + 1), {
      names: { location: 'location', category: 'category', score: 'score' },
      labels: table,
      boxOrder: machineBoxOrder,
      inputWidthPx: 640,
      inputHeightPx: 640,
      frameWidthPx: 1280,
      frameHeightPx: 720,
    }),
  );
};

/** Fills the app's history with raw results; returns functions that move a threshold once per animation frame, like a drag. */
async function openApp(frameCount: number, boxCount: number) {
  let inferences = 0;
  const listeners: ((result: FrameResult) => void)[] = [];
  const real = startClient();
  const client: VisionClient = {
    ...real,
    run: (...args) => (inferences++, real.run(...args)),
    rerun: () => (inferences++, real.rerun()),
    onResult(listener) {
      listeners.push(listener);
      return real.onResult(listener);
    },
  };
  const bench = createBench(client);
  const detection = firstDetection(real);
  mount(App, { target: document.getElementById('app')!, props: { bench, openData: noData, openEvaluation: noData } });
  const shown = await detection;
  rawFrames(frameCount, boxCount).forEach((detections, index) => {
    const frame = { name: 'recorded', index, timestampMs: index };
    for (const listener of listeners) listener({ ...shown, frame, detections, classifications: null });
  });
  await rest(2000);

  const inferencesBefore = inferences;
  const keptBefore = bench.results.rows.kept.length;
  const { thresholds } = bench;
  const label = thresholds.seen.labels[0]!;
  const { stageWidthPx: widthPx, stageHeightPx: heightPx, scale } = bench.viewport;
  return {
    stage: { widthPx, heightPx, scale } satisfies StageSize,
    /** Each time is from the move until the browser has painted the change. */
    moveDefault: (moves: number) => timesOf(moves, (value) => thresholds.setDefault(value, true)),
    /** The same for the threshold of a label: then all labels are listed, with the scores of this one above them. */
    moveLabel: async (moves: number) => {
      bench.thresholdList.tune(label);
      return timesOf(moves, (value) => thresholds.setLabel(label, value, true));
    },
    async outcome() {
      const { seen: boxesInMemory } = thresholds.total;
      const changed = bench.results.rows.kept.length !== keptBefore;
      await rest(1000); // an inference caused by the moves would have started by now
      return { inferences: inferences - inferencesBefore, boxesInMemory, changed };
    },
  };
}

/** Size of the app's stage in CSS pixels, and its scale in stage pixels per frame pixel. */
interface StageSize {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly scale: number;
}

/**
 * The baseline that shows the same: counts the detections of the same arrays above each threshold, and draws the last
 * frame's boxes like the app, on a canvas and a picture of the same size as the app's.
 */
async function openBare(frameCount: number, boxCount: number, { widthPx, heightPx, scale }: StageSize) {
  const frames = rawFrames(frameCount, boxCount);
  const [picture, canvas] = [stageCanvas(widthPx, heightPx), stageCanvas(widthPx, heightPx)];
  const words = document.createElement('p');
  document.body.replaceChildren(picture, canvas, words);
  const photograph = await createImageBitmap(await (await fetch('./builtin/frames/sample1.jpg')).blob());
  picture.getContext('2d')!.drawImage(photograph, 0, 0, widthPx, heightPx);
  const context = canvas.getContext('2d')!;
  const boxes = boxesOf(frames.at(-1)!, scale);
  const redraw = (threshold: number): void => {
    let kept = 0;
    for (const frame of frames) for (let row = 0; row < frame.count; row++) if (frame.score[row]! >= threshold) kept++;
    words.textContent = `${kept} kept`;
    context.clearRect(0, 0, widthPx, heightPx);
    drawBenchOverlay(
      context,
      boxes.filter(({ score }) => score! >= threshold),
      { x: 0, y: 0, width: widthPx, height: heightPx },
    );
  };
  await rest(500);
  return { moveDefault: (moves: number) => timesOf(moves, redraw) };
}

function stageCanvas(width: number, height: number): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  canvas.style.cssText = 'position: absolute; inset: 0';
  return canvas;
}

/** A frame's boxes as the stage draws them. `scale`: stage pixels per frame pixel. */
function boxesOf({ box, count, score, labels, labelIndex }: RawDetections, scale: number): OverlayBox[] {
  return Array.from({ length: count }, (_, row) => {
    const [xMin, yMin, xMax, yMax] = Array.from(box.subarray(4 * row, 4 * row + 4), (edge) => edge * scale);
    const corner = (x: number, y: number) => ({ x, y });
    return {
      row,
      score: score[row]!,
      label: labels[labelIndex[row]!]!,
      colour: '#4bc3f0',
      kept: true,
      corners: [corner(xMin!, yMin!), corner(xMax!, yMin!), corner(xMax!, yMax!), corner(xMin!, yMax!)],
      selected: false,
      hovered: false,
      faded: false,
    };
  });
}

async function timesOf(moves: number, change: (setting: number) => void): Promise<number[]> {
  const times: number[] = [];
  for (let move = 0; move < moves; move++) times.push(await repaintMs(() => change(settingOf(move))));
  return times;
}

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function repaintMs(change: () => void): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const startMs = performance.now();
      change();
      // Svelte applies the change in a microtask, so before this frame's layout; the message is handled after its paint.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve(performance.now() - startMs);
      };
      port2.postMessage(null);
    });
  });
}

/** Prepares the app; or, if the size of a stage is given, the bare page. */
async function measure(frameCount: number, boxCount: number, stage?: StageSize): Promise<void> {
  const opened = stage ? await openBare(frameCount, boxCount, stage) : await openApp(frameCount, boxCount);
  Object.assign(globalThis, { opened });
}

Object.assign(globalThis, { measure, rest });
