import { median, type Figure } from '../figure.ts';

export const figure: Figure = {
  title: 'everything but inference, 1280×720 camera frame → 640×640 float32 NCHW, 300 boxes',
  async measure({ measureOnPage }) {
    const times = await measureOnPage<Record<string, number[]>>('preprocess', 60);
    const [own, plain, transformers] = ['sightglass', 'plain', 'transformers'].map((name) => median(times[name]!)) as [
      number,
      number,
      number,
    ];
    return [
      { name: "Sightglass, the machine's exact stretch", value: own, unit: 'ms' },
      { name: 'reused willReadFrequently canvas and a typed-array loop', value: plain, unit: 'ms' },
      { name: "@huggingface/transformers' image processor", value: transformers, unit: 'ms' },
      { name: 'faster than the canvas and loop', value: plain / own, unit: '×', atLeast: 1.5 },
      { name: "faster than transformers' processor", value: transformers / own, unit: '×', atLeast: 10 },
    ];
  },
};
