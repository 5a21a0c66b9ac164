import { SeenScores } from '../../src/app/bench/thresholds/seen-scores.ts';
import { openNodeSession } from '../../src/platform/node/onnxruntime.ts';
import { decodeClassifications } from '../../src/machine/vision/decode/decode-classifications.ts';
import { surestClasses } from '../../src/machine/vision/decode/surest-classes.ts';
import { median, type Figure } from '../figure.ts';
import { sharedModel } from '../shared-data.ts';

const rounds = 5;
const model = 'nanodet_m_320.onnx';
/** YOLOv5's head for 640×640 px, which the machine takes for a classifier. */
const shape = [1, 25_200, 85];

export const figure: Figure = {
  title: 'a frame of a raw head of 25,200 × 85 numbers, as the bench reads, hands over and counts it, in Node',
  async measure({ note }) {
    const bytes = await sharedModel(model);
    if (!bytes) {
      note(`left out, as ../shared/data/models/${model} is not at hand`);
      return [];
    }
    const session = await openNodeSession(bytes);
    const [input] = session.inputs;
    const picture = new Float32Array(input!.shape.reduce((product, size) => product * Math.abs(size), 1));
    const feed = { [input!.name]: { dtype: 'float32' as const, shape: input!.shape, data: picture } };
    const inferenceMs = await timed(() => session.run(feed));
    await session.release();

    const data = Float32Array.from({ length: 25_200 * 85 }, (_, at) => (at % 977) / 977);
    const workerMs = await timed(() => surestClasses(decodeClassifications({ dtype: 'float32', shape, data }, null)));
    const listed = surestClasses(decodeClassifications({ dtype: 'float32', shape, data }, null));
    const pageMs = await timed(() => {
      const scores = new SeenScores();
      scores.update([{ detections: null, classifications: structuredClone(listed) }]);
      return scores.counts({ defaultMinimumConfidence: 0.5, labelConfidences: {} });
    });
    note(
      `one inference of NanoDet-m of 320 px ${inferenceMs.toFixed(0)} ms; worker ${workerMs.toFixed(0)} ms, page ${pageMs.toFixed(1)} ms`,
    );
    return [
      { name: "the page's part, over one bare inference", value: pageMs / inferenceMs, unit: '×', atMost: 1 },
      { name: "the worker's part, over one bare inference", value: workerMs / inferenceMs, unit: '×', atMost: 20 },
    ];
  },
};

async function timed(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const startMs = performance.now();
    await work();
    times.push(performance.now() - startMs);
  }
  return median(times.slice(1));
}
