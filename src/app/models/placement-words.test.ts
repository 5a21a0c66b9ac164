import { expect, it } from 'vitest';
import type { Placed } from '../../vision/placement.ts';
import { placementWords } from './placement-words.ts';

const gpu: Placed = { where: 'gpu', because: '' };
const cpu = (because: string): Placed => ({ where: 'cpu', because });
const stages = (...types: ('' | 'crop' | 'detections' | 'rotate')[]) => [
  { step: -1, type: '' },
  ...types.map((type, step) => ({ step, type })),
];

it.each<[string, Parameters<typeof placementWords>, string[]]>([
  ['no steps', [{ steps: [], packing: gpu }, stages()], ['Stretch and pack: GPU.']],
  [
    'steps that pass through, which nobody computes',
    [{ steps: [gpu, gpu, gpu], packing: gpu }, stages('crop', '', 'rotate')],
    ['Crop, rotate, stretch and pack: GPU.'],
  ],
  [
    'a step that draws',
    [
      { steps: [cpu('step 2 draws on the picture'), cpu('it draws on the picture'), gpu], packing: gpu },
      stages('crop', 'detections', 'rotate'),
    ],
    [
      'Crop: CPU, because step 2 draws on the picture.',
      'Detections: CPU, because it draws on the picture.',
      'Rotate, stretch and pack: GPU.',
    ],
  ],
  [
    'a reason that ends as a sentence',
    [{ steps: [], packing: cpu('the GPU failed on this frame: It is full.') }, stages()],
    ['Stretch and pack: CPU, because the GPU failed on this frame: It is full.'],
  ],
  [
    "a camera's colours",
    [{ steps: [gpu], packing: gpu, colours: gpu }, stages('crop')],
    ['Colours of the camera, crop, stretch and pack: GPU.'],
  ],
  [
    'orders that are repeated',
    [{ steps: [], packing: gpu, notCaptured: '' }, stages()],
    ['Stretch and pack: GPU.', "The model's orders to the GPU are recorded, and repeated for each frame."],
  ],
  [
    'orders that are not',
    [{ steps: [], packing: gpu, notCaptured: 'some of its operators run on the CPU' }, stages()],
    [
      'Stretch and pack: GPU.',
      "The model's orders to the GPU are written for each frame, because some of its operators run on the CPU.",
    ],
  ],
])('says what ran where: %s', (_, given, sentences) => {
  expect(placementWords(...given)).toEqual(sentences);
});
