import { describe, expect, it } from 'vitest';
import { fixedSession, float32, imageInput } from '../../../tests/fixed-session.ts';
import { blankFont } from '../../../tests/machine-fixture.ts';
import { visionServiceConfig } from '../../../tests/machine-configs.ts';
import { randomSource, randomYuvFrame } from '../../../tests/random-frame.ts';
import type { TransformStep } from '../config/parse/machine-config.ts';
import type { ReadFrame } from './yuv/yuv-frame.ts';
import { isGpuFrame, pixelsOf, toGpu, type GpuFrame } from './gpu/gpu-frame.ts';
import type { FrameIntake, InferenceSession } from './inference/inference-session.ts';
import { lookDuring, type GpuLook, type Picture } from './gpu/looks.ts';
import { patternFrame } from './frame/pattern-frame.ts';
import { runFrame, type FramePlan, type PipelinePorts } from './pipeline.ts';
import { preprocess } from './preprocess/preprocess.ts';
import { probe } from './probe.ts';
import type { Tensor } from './tensor/tensor.ts';
import { buildVisionService } from './vision-service.ts';

/** Says what it sees: the first three values of its input. */
const seeing = ({ data }: Tensor) => ({ probability: float32([1, 3], [...data.subarray(0, 3)].map(Number)) });

interface Drawn extends Picture {
  readonly look: GpuLook;
  readonly closed: number;
}
function draw(look: GpuLook): Drawn {
  let closed = 0;
  return {
    look,
    width: 1,
    height: 1,
    close: () => void closed++,
    get closed() {
      return closed;
    },
  };
}

/** A session on a "GPU" that packs by the reference, or fails, or gives what cannot be read; `packed` counts the frames. */
function sessionOnGpu(fault: Error | 'no outputs' | null = null) {
  const session = fixedSession(imageInput([1, 3, 6, 8], 'float32'), seeing, ['probability']);
  const gpu: FrameIntake & { packed: number; drawn: Drawn[] } = {
    refusal: '',
    packed: 0,
    drawn: [],
    inspect: () => Promise.reject(new Error('never asked')),
    run: async (frame, input, looks = []) => {
      if (fault instanceof Error) throw fault;
      gpu.packed++;
      gpu.drawn = looks.map(draw);
      const tensor = preprocess(pixelsOf(frame as GpuFrame), input);
      const results: Record<string, Tensor> = fault ? {} : seeing(tensor);
      return { results, shape: tensor.shape, pictures: gpu.drawn, packMs: 1, runMs: 2, notCaptured: '' };
    },
  };
  return { ...session, gpu };
}

async function run(
  session: InferenceSession,
  steps: readonly TransformStep[],
  frame: ReadFrame,
  looks: NonNullable<FramePlan['looks']> = () => [],
) {
  const packed: ReadFrame[] = [];
  const ports: PipelinePorts = {
    stretchKernel: { stretchToTensor: (seen, spec) => (packed.push(seen), preprocess(seen, spec)) },
    font: blankFont,
    turn: (task) => task(),
    nowMs: () => 0,
  };
  const service = buildVisionService(visionServiceConfig(), { session, labels: null });
  const vision = { service, abilities: await probe(service, ports) };
  packed.splice(0);
  return { result: await runFrame(frame, { steps, vision, serviceNamed: async () => vision, looks }, ports), packed };
}

const frame = patternFrame('ycbcr8', 21, 11);
const crop: TransformStep = {
  type: 'crop',
  attributes: { xMin: 2, yMin: 1, xMax: 19, yMax: 10, overlayCropBox: false },
};
const turn: TransformStep = { type: 'rotate', attributes: { angleDegs: 90 } };
const drawing: TransformStep = {
  type: 'classifications',
  attributes: { serviceName: 'vision', confidenceThreshold: 0, maxClassifications: 1, validLabels: [] },
};
const chains: [string, TransformStep[]][] = [
  ['no step', []],
  ['a crop and a turn', [crop, turn]],
  ['a drawing step between', [turn, drawing, crop]],
];

describe('a frame for the GPU', () => {
  it.each(chains)('gives what the CPU gives, with %s', async (_, steps) => {
    const { gpu: _gpu, ...onCpu } = sessionOnGpu();
    const expected = await run(onCpu, steps, frame);
    const { result } = await run(sessionOnGpu(), steps, frame);
    expect(result.classifications).toEqual(expected.result.classifications);
    expect(result.stages.map((stage) => ({ ...stage, frame: pixelsOf(stage.frame) }))).toEqual(expected.result.stages);
    expect(result.inference).toMatchObject({ inputWidthPx: 8, inputHeightPx: 6, preprocessMs: 1 });
  });

  it('is neither transformed nor packed on the CPU, and what runs where is said', async () => {
    const session = sessionOnGpu();
    const { result, packed } = await run(session, [crop, turn], frame);
    expect([session.gpu.packed, packed.length]).toEqual([1, 0]);
    expect(result.stages.map((stage) => isGpuFrame(stage.frame))).toEqual([false, true, true]);
    const onGpu = { where: 'gpu', because: '' };
    expect(result.placement).toEqual({ steps: [onGpu, onGpu], packing: onGpu, notCaptured: '' });
  });

  it.each(chains)('goes on as pixels where the GPU fails, with %s', async (_, steps) => {
    const expected = await run(sessionOnGpu(), steps, frame);
    const { result, packed } = await run(sessionOnGpu(new Error('out of memory')), steps, frame);
    expect(result.classifications).toEqual(expected.result.classifications);
    expect(packed.at(-1)).toBe(pixelsOf(result.stages.at(-1)!.frame));
    expect(result.placement.packing).toEqual({ where: 'cpu', because: 'the GPU failed on this frame: out of memory' });
  });

  describe('that is looked at', () => {
    const all: NonNullable<FramePlan['looks']> = (stages) =>
      stages.map((stage) => ({ frame: stage.frame, longestSidePx: 160 }));

    it.each<[string, TransformStep[], number[]]>([
      ['no step', [], [0]],
      ['a crop and a turn', [crop, turn], [0, 1, 2]],
      // What came before the drawing step never was on the GPU.
      ['a drawing step between', [turn, drawing, crop], [0, 1]],
    ])('is drawn there as far as it lies there, each stage by its own steps: %s', async (_, steps, drawn) => {
      const session = sessionOnGpu();
      const { result } = await run(session, steps, frame, all);
      expect(session.gpu.drawn.map(({ look }) => look)).toEqual(
        drawn.map((afterSteps) => ({ afterSteps, longestSidePx: 160 })),
      );
      const pictured = [...result.inference!.pictures!].map(([look]) => look.frame);
      expect(pictured).toEqual(result.stages.slice(-drawn.length).map((stage) => stage.frame));
      expect(session.gpu.drawn.map(({ closed }) => closed)).toEqual(drawn.map(() => 0));
    });

    it('has no picture of the GPU where that failed', async () => {
      const { result } = await run(sessionOnGpu(new Error('lost')), [turn], frame, all);
      expect(result.inference!.pictures).toBeUndefined();
    });

    it('leaves no picture open where its results cannot be read', async () => {
      const session = sessionOnGpu('no outputs');
      await expect(run(session, [turn], frame, all)).rejects.toThrow();
      expect(session.gpu.drawn.map(({ closed }) => closed)).toEqual([1, 1]);
    });
  });
});

describe('planes of a camera', () => {
  const planes = randomYuvFrame(randomSource(7), 'nv12', 21, 11);

  it.each(chains)('give what their colours give, on the CPU and on the GPU, with %s', async (_, steps) => {
    const { gpu: _gpu, ...onCpu } = sessionOnGpu();
    const expected = (await run(onCpu, steps, planes.pixels())).result;
    const shown = ({ stages }: typeof expected) => stages.map(({ frame: seen }) => pixelsOf(seen));
    for (const session of [onCpu, sessionOnGpu()]) {
      const { result } = await run(session, steps, planes);
      expect(result.classifications).toEqual(expected.classifications);
      expect(shown(result)).toEqual(shown(expected));
    }
  });

  it.each<[string, TransformStep[]]>([
    ['no step', []],
    ['the step that does nothing', [{ type: '' }]],
  ])('go to the kernel as they are with %s', async (_, steps) => {
    const { gpu: _gpu, ...onCpu } = sessionOnGpu();
    const { result, packed } = await run(onCpu, steps, planes);
    expect(packed).toHaveLength(1);
    expect(packed[0]).toBe(planes);
    expect(result.stages.every(({ frame: seen }) => seen === planes)).toBe(true);
  });

  it('are looked at on the GPU as the source of what runs there', () => {
    const ran = toGpu(planes);
    expect(lookDuring({ frame: planes, longestSidePx: 9 }, ran)).toEqual({ afterSteps: 0, longestSidePx: 9 });
    const another = randomYuvFrame(randomSource(8), 'nv12', 21, 11);
    expect(lookDuring({ frame: another, longestSidePx: 9 }, ran)).toBeNull();
  });
});
