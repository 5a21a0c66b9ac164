import { mount } from 'svelte';
import '../../src/app/theme.css';
import App from '../../src/app/App.svelte';
import type { VisionClient } from '../../workers/vision/client/vision-client.ts';
import type { FrameResult } from '../../workers/vision/protocol.ts';
import { machineBoxOrder } from '../../src/vision/decode/box-order.ts';
import { decodeDetections } from '../../src/vision/decode/decode-detections.ts';
import { labelTable, numberTexts } from '../../src/vision/decode/labels.ts';
import { boxOutputs } from './box-outputs.ts';
import { createBench, firstDetection, noData, startClient } from './headless-bench.ts';

/**
 * Fills the app's memory with raw results, then moves the default threshold as a drag does: once an animation frame.
 * Each time is from the move until the browser has painted what it changed.
 */
async function measure(frameCount: number, boxCount: number, moves: number) {
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
  mount(App, { target: document.getElementById('app')!, props: { bench, openData: noData } });
  const shown = await detection;

  const table = labelTable(numberTexts(80));
  for (let index = 0; index < frameCount; index++) {
    const detections = decodeDetections(boxOutputs(boxCount, 80, index + 1), {
      names: { location: 'location', category: 'category', score: 'score' },
      labels: table,
      boxOrder: machineBoxOrder,
      ...{ inputWidthPx: 640, inputHeightPx: 640, frameWidthPx: 1280, frameHeightPx: 720 },
    });
    const frame = { name: 'recorded', index, timestampMs: index };
    for (const listener of listeners) listener({ ...shown, frame, detections, classifications: null });
  }
  await new Promise((resolve) => setTimeout(resolve, 2000));

  const boxesInMemory = bench.thresholds.total.seen;
  const inferencesBefore = inferences;
  const keptBefore = bench.results.rows.kept.length;
  const times: number[] = [];
  for (let move = 0; move < moves; move++) {
    times.push(await repaintMs(() => bench.thresholds.setDefault(0.05 + (0.9 * (move % 40)) / 40, true)));
  }
  const changed = bench.results.rows.kept.length !== keptBefore;
  await new Promise((resolve) => setTimeout(resolve, 1000)); // an inference that follows would be on its way by now
  return { times, inferences: inferences - inferencesBefore, boxesInMemory, changed };
}

function repaintMs(change: () => void): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const startMs = performance.now();
      change();
      // Svelte applies the change in a microtask, hence before this frame is laid out; a message is handled after its paint.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve(performance.now() - startMs);
      };
      port2.postMessage(null);
    });
  });
}

Object.assign(globalThis, { measure });
