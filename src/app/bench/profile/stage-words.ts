import type { FrameStage } from '../../../models/profile/frame-times.ts';
import type { HexColour } from '../../kit/colours/colour-distance.ts';

interface StageWords {
  readonly name: string;
  readonly does: string;
  /** for white text, for black text */
  readonly light: HexColour;
  readonly dark: HexColour;
}

export type StagesInWords = Readonly<Record<FrameStage, StageWords>>;

/** The names and colours of the stages if the CPU packs the model's input. */
const onCpu: StagesInWords = {
  decode: { name: 'Pixels', does: 'The frame’s pixels are read, a file is decoded', light: '#1f5fa8', dark: '#6db1ff' },
  steps: { name: 'Steps', does: 'The transform cameras run', light: '#0d7269', dark: '#42c9b6' },
  pack: { name: 'Pack', does: 'Stretched to the model’s size, packed as a tensor', light: '#6b4fc0', dark: '#b9a2ff' },
  wait: {
    name: 'Wait',
    does: 'It waits for its turn: another frame is at the model',
    light: '#5f6670',
    dark: '#a3abb5',
  },
  inference: { name: 'Inference', does: 'The model runs', light: '#b04a12', dark: '#ffa24f' },
  outputs: { name: 'Decode', does: 'Boxes and classes are read out of the outputs', light: '#2d7a2b', dark: '#7fd46f' },
  picture: {
    name: 'Picture',
    does: 'The picture for the stage and the thumbnails are made',
    light: '#a1286f',
    dark: '#ff8fcb',
  },
  handover: {
    name: 'Handover',
    does: 'Between page and workers, and their other work',
    light: '#2b2f36',
    dark: '#eceef1',
  },
  filter: { name: 'Filter', does: 'The thresholds are applied', light: '#8a6100', dark: '#e3c04c' },
  page: {
    name: 'Page',
    does: 'Lists, tables and histograms are brought up to date',
    light: '#123f80',
    dark: '#8fe3f0',
  },
  draw: { name: 'Draw', does: 'The boxes are drawn over the picture', light: '#a8232b', dark: '#ff7f92' },
};

/** What packs the model's input: the CPU, a GPU, or a GPU with a timer. */
export type PackedBy = 'cpu' | 'gpu' | 'timed gpu';

// The GPU works asynchronously: only the end of its last command is known.
const onGpu: StagesInWords = {
  ...onCpu,
  steps: { ...onCpu.steps, does: 'The transform cameras run as far as the CPU runs them' },
  pack: {
    ...onCpu.pack,
    name: 'Orders',
    does: 'The frame goes to the GPU, with orders to run steps, stretch and pack',
  },
  inference: {
    ...onCpu.inference,
    does: 'The GPU runs steps, stretch, pack and the model, draws the pictures, and tells no time of its own',
  },
};

const onTimedGpu: StagesInWords = {
  ...onCpu,
  steps: { ...onCpu.steps, does: 'The transform cameras run; what of them is on the GPU by its own clock' },
  pack: { ...onCpu.pack, does: 'The frame goes to the GPU, and is stretched and packed there, by its own clock' },
  inference: { ...onCpu.inference, does: 'The GPU draws the pictures and runs the model' },
};

/** The words for where the model's input is packed. */
export const stageWordsOn = (packsOn: PackedBy): StagesInWords =>
  ({ cpu: onCpu, gpu: onGpu, 'timed gpu': onTimedGpu })[packsOn];
