import { mount } from 'svelte';
import '../../src/app/theme.css';
import App from '../../src/app/App.svelte';
import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { createBench, noData, startClient } from './headless-bench.ts';

/** A model whose probabilities are the means of the channels, so that inference takes almost no time. */
function colourModel(): File {
  const graph = new GraphBuilder();
  const image = graph.input('image', 'float32', [1, 3, 64, 64]);
  const mean = graph.add('ReduceMean', [image, graph.ints([2], [2, 3])], { keepdims: { int: 0 } });
  graph.output('probability', mean, 'float32', [1, 3]);
  const metadata = { names: "{0: 'red', 1: 'green', 2: 'blue'}" };
  return new File([graph.build({ graphName: 'colours', producer: 'bench', opset: 18, metadata })], 'colours.onnx');
}

const client = startClient();
const bench = createBench(client);
mount(App, { target: document.getElementById('app')!, props: { bench, openData: noData, openEvaluation: noData } });

const canvas = new OffscreenCanvas(640, 360);
const context = canvas.getContext('2d')!;
const loading = bench.models.load({ kind: 'file', file: colourModel() }, bench.serviceName);
let finished = 0;

/** Runs frames of different colours until `frameCount` results have come in total. */
async function measure(frameCount: number): Promise<number> {
  if (!(await loading)) throw new Error(bench.models.fault?.message ?? 'The model did not load.');
  while (finished < frameCount) {
    context.fillStyle = `hsl(${finished % 360} 80% 50%)`;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const frame = new VideoFrame(canvas, { timestamp: finished });
    const info = { name: 'painted', index: finished, timestampMs: finished };
    const result = await client.run(frame, info);
    if (!result) continue; // the app has run the sample on its stage again instead of this frame
    if (!result.classifications) throw new Error(result.problems[0]?.message ?? 'A frame gave nothing.');
    if (++finished % 500 === 0) console.info(`after ${finished} frames`);
  }
  return finished;
}

Object.assign(globalThis, { measure });
