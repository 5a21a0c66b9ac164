import { describe, expect, it } from 'vitest';
import { fixedSession, float32, imageInput } from '../../../tests/fixed-session.ts';
import { blankFont, boxes, cat } from '../../../tests/machine-fixture.ts';
import { visionServiceConfig } from '../../../tests/machine-configs.ts';
import type { EightBitFrame } from '../../../src/machine/vision/frame/frame.ts';
import { pixelsOf, type GpuFrame } from '../../../src/machine/vision/gpu/gpu-frame.ts';
import { InferenceError } from '../../../src/machine/vision/errors/inference-error.ts';
import type { FrameIntake } from '../../../src/machine/vision/inference/inference-session.ts';
import { patternFrame } from '../../../src/machine/vision/frame/pattern-frame.ts';
import type { PipelinePorts } from '../../../src/machine/vision/pipeline.ts';
import { preprocess, referenceStretchKernel } from '../../../src/machine/vision/preprocess/preprocess.ts';
import { probe } from '../../../src/machine/vision/probe.ts';
import type { Tensor } from '../../../src/machine/vision/tensor/tensor.ts';
import { buildVisionService, type ProbedService } from '../../../src/machine/vision/vision-service.ts';
import { checkParity } from './check-parity.ts';

type Tensors = Readonly<Record<string, Tensor>>;
interface GpuFaults {
  readonly pixel?: number;
  readonly tensor?: number;
  readonly says?: Tensors;
  readonly runs?: FrameIntake['run'];
}

const ports: PipelinePorts = {
  stretchKernel: referenceStretchKernel,
  font: blankFont,
  turn: (task) => task(),
  nowMs: () => 0,
};
const seen = patternFrame('rgba8', 40, 20);
const input = imageInput([1, 3, 6, 8], 'float32');
const dog = { ...cat, category: 1, location: [0, 0, 1, 1], score: 0.4 };
const both = boxes(cat, dog);

/** A service whose "GPU" computes by the reference, and then as much beside it as is asked. */
async function service(says: Tensors, gpuFaults: GpuFaults | null): Promise<ProbedService> {
  const session = fixedSession(input, says);
  const gpu: FrameIntake = {
    refusal: '',
    run: async (frame, spec) => {
      const { shape } = preprocess(pixelsOf(frame as GpuFrame), spec);
      return { results: gpuFaults?.says ?? says, shape, pictures: [], packMs: 0, runMs: 0, notCaptured: '' };
    },
    inspect: async (frame, spec) => {
      const seen = pixelsOf(frame as GpuFrame);
      const pixels = { ...seen, samples: seen.samples.slice() } as EightBitFrame;
      pixels.samples[5]! += gpuFaults?.pixel ?? 0;
      const tensor = preprocess(seen, spec);
      tensor.data[3] = (tensor.data[3] as number) + (gpuFaults?.tensor ?? 0);
      return { pixels, tensor };
    },
    ...(gpuFaults?.runs && { run: gpuFaults.runs }),
  };
  const built = buildVisionService(visionServiceConfig({ defaultMinimumConfidence: 0.3 }), {
    session: gpuFaults ? { ...session, gpu } : session,
    labels: ['cat', 'dog'],
  });
  return { service: built, abilities: await probe(built, ports) };
}

async function parity(gpuFaults: GpuFaults | null, says = both) {
  const released: string[] = [];
  const onCpu = { ...fixedSession(input, says), release: async () => void released.push('cpu') };
  return checkParity({ seen, vision: await service(says, gpuFaults), onCpu, ports });
}

const same = { pixelLevels: 0, tensor: 0, outputs: 0, scores: null };

describe('the parity check', () => {
  it('finds nothing where there is nothing', async () => {
    expect(await parity({})).toEqual({
      ...same,
      boxes: { onGpu: 2, onCpu: 2, paired: 2, largestShiftPx: 0, largestScore: 0 },
    });
  });

  it('says how far apart pixels and tensor are', async () => {
    expect(await parity({ pixel: 2, tensor: 0.25 })).toMatchObject({ pixelLevels: 2, tensor: 0.25 });
    expect(await parity({ tensor: NaN })).toMatchObject({ tensor: Infinity });
  });

  it('pairs boxes by label and place, in whatever order they come', async () => {
    const moved = boxes({ ...dog, location: [0, 0, 0.9, 1] }, { ...cat, score: 0.5 });
    expect((await parity({ says: moved })).boxes).toEqual({
      onGpu: 2,
      onCpu: 2,
      paired: 2,
      largestShiftPx: 2,
      largestScore: 0.25,
    });
  });

  it('says of boxes that only one way finds', async () => {
    const { boxes: compared, outputs } = await parity({ says: boxes({ ...dog, score: 0.1 }, { ...cat, category: 1 }) });
    expect(compared).toMatchObject({ onGpu: 1, onCpu: 2, paired: 1 });
    expect(outputs).toBe(1);
    expect(await parity({ says: boxes(cat) })).toMatchObject({ outputs: null });
  });

  it('compares the scores of classes', async () => {
    const gpuSays = { probability: float32([1, 2], [0.5, 0.75]) };
    expect(await parity({ says: gpuSays }, { probability: float32([1, 2], [0.25, 0.75]) })).toMatchObject({
      boxes: null,
      scores: 0.25,
    });
  });

  it('is refused where the model is not on the GPU, or fails there', async () => {
    await expect(parity(null)).rejects.toThrow('The model does not run on the GPU.');
    const runs = () => Promise.reject(new InferenceError('out-of-memory', 'full'));
    await expect(parity({ runs })).rejects.toThrow('the GPU failed on this frame: full');
  });
});
