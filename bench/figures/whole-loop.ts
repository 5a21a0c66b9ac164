import { median, medianRatio, type Figure } from '../figure.ts';

interface InTurn {
  readonly threads: number;
  /** frames per second, for each round */
  readonly loops: readonly number[];
  readonly bares: readonly number[];
  /** runs per second of session.run while a camera is only displayed */
  readonly besides: readonly number[];
  /** the fraction of the loop's time in which the model ran */
  readonly shares: readonly number[];
}

export const figure: Figure = {
  title: 'frames a second of the whole app over bare session.run, in turn; 1280×720 camera, built-in detector, WASM',
  async measure({ measureOnPage, note }) {
    const { threads, loops, bares, besides, shares } = await measureOnPage<InTurn>(
      'whole-loop',
      './builtin/models/face-detector.onnx',
      8,
      3,
    );
    const ratios = loops.map((loop, round) => loop / bares[round]!);
    note(`ratios of the rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`);
    return [
      { name: `session.run alone, the app's ${threads} thread(s)`, value: median(bares), unit: 'fps' },
      { name: 'session.run beside a camera that is only shown', value: median(besides), unit: 'fps' },
      { name: 'camera to boxes on the stage', value: median(loops), unit: 'fps' },
      { name: 'time of the loop in which the model was at work', value: 100 * median(shares), unit: '%' },
      { name: 'whole loop over session.run', value: median(ratios), unit: '×', atLeast: 0.95 },
      {
        name: 'whole loop over session.run beside the camera',
        value: medianRatio(loops, besides),
        unit: '×',
        atLeast: 0.96,
      },
    ];
  },
};
