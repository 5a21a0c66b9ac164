import { median, medianRatio, type Figure } from '../figure.ts';

interface Measured {
  readonly times: Readonly<Record<'sightglass' | 'colours' | 'plain' | 'transformers', readonly number[]>>;
  readonly planarShare: number;
  readonly whyColours: string;
}

export const figure: Figure = {
  title: 'everything but inference, 1280×720 camera frame → 640×640 float32 NCHW, 300 boxes',
  async measure({ measureOnPage, note }) {
    const { times, planarShare, whyColours } = await measureOnPage<Measured>('preprocess', 60);
    const { sightglass: own, colours, plain, transformers } = times;
    if (whyColours !== '') note(`frames were read as colours, because ${whyColours}`);
    return [
      { name: "Sightglass, the machine's exact stretch", value: median(own), unit: 'ms' },
      { name: 'of its frames read as planes', value: 100 * planarShare, unit: '%' },
      { name: 'the same where the browser makes colours of every frame', value: median(colours), unit: 'ms' },
      { name: 'reused willReadFrequently canvas and a typed-array loop', value: median(plain), unit: 'ms' },
      { name: "@huggingface/transformers' image processor", value: median(transformers), unit: 'ms' },
      { name: 'faster than the canvas and loop', value: median(plain) / median(own), unit: '×', atLeast: 3 },
      { name: '… in the middle round', value: medianRatio(plain, own), unit: '×' },
      { name: '… at its best', value: Math.min(...plain) / Math.min(...own), unit: '×' },
      { name: '… where the browser makes the colours', value: median(plain) / median(colours), unit: '×' },
      {
        name: "faster than transformers' processor",
        value: median(transformers) / median(own),
        unit: '×',
        atLeast: 10,
      },
    ];
  },
};
