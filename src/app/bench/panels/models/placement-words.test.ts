import { expect, it } from 'vitest';
import type { Placed } from '../../../../machine/vision/placement.ts';
import { placementWords } from './placement-words.ts';

const gpu: Placed = { where: 'gpu', because: '' };
const cpu = (because: string): Placed => ({ where: 'cpu', because });
const stages = (...types: ('' | 'crop' | 'detections' | 'rotate')[]) => [
  { step: -1, type: '' },
  ...types.map((type, step) => ({ step, type })),
];

it.each<[string, Parameters<typeof placementWords>, string[]]>([
  ['no steps', [{ steps: [], packing: gpu }, stages()], ['Made on the GPU: the model’s input.']],
  [
    'steps that pass through, which nobody computes',
    [{ steps: [gpu, gpu, gpu], packing: gpu }, stages('crop', '', 'rotate')],
    ['Made on the GPU: crop, rotate, the model’s input.'],
  ],
  [
    'a step that draws',
    [
      { steps: [cpu('step 2 draws on the picture'), cpu('it draws on the picture'), gpu], packing: gpu },
      stages('crop', 'detections', 'rotate'),
    ],
    [
      'Made on the CPU: crop, because step 2 draws on the picture.',
      'Made on the CPU: detections, because it draws on the picture.',
      'Made on the GPU: rotate, the model’s input.',
    ],
  ],
  [
    'a reason that ends as a sentence',
    [{ steps: [], packing: cpu('the GPU failed on this frame: It is full.') }, stages()],
    ['Made on the CPU: the model’s input, because the GPU failed on this frame: It is full.'],
  ],
  [
    "a camera's colours",
    [{ steps: [gpu], packing: gpu, colours: gpu }, stages('crop')],
    ['Made on the GPU: the camera’s colours, crop, the model’s input.'],
  ],
  [
    'orders that are repeated',
    [{ steps: [], packing: gpu, notCaptured: '' }, stages()],
    [
      'Made on the GPU: the model’s input.',
      "The GPU's commands for the model are recorded once and repeated for each frame.",
    ],
  ],
  [
    'orders that are not',
    [{ steps: [], packing: gpu, notCaptured: 'some of its operators run on the CPU' }, stages()],
    [
      'Made on the GPU: the model’s input.',
      "The GPU's commands for the model are written again for each frame, because some of its operators run on the CPU.",
    ],
  ],
])('says what ran where: %s', (_, given, sentences) => {
  expect(placementWords(...given)).toEqual(sentences);
});
