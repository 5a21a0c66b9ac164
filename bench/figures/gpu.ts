import { medianRatio, median, type Figure } from '../figure.ts';

/** Milliseconds of each round. */
interface Rounds {
  readonly adapter: string;
  /** a program on the CPU */
  readonly emulated: boolean;
  /** from pixels in memory to the model's numbers */
  readonly cpuPath: readonly number[];
  readonly gpuPath: readonly number[];
  /** the GPU path of a picture of 8×8: next to nothing to upload and to shrink */
  readonly gpuModel: readonly number[];
  /** the same model and frame, packed on the CPU and uploaded as a tensor */
  readonly gpuTensor: readonly number[];
}

export const figure: Figure = {
  title: 'a 1280×720 frame to a 320×320 model and back, on the GPU against the CPU',
  async measure({ measureOnHardware, measureOnGpu, note }) {
    const onHardware = await measureOnHardware<Rounds | null>('gpu', { rounds: 40, acceptsEmulated: false });
    if (!onHardware) note('no GPU: what follows is of a software adapter, and says nothing of a GPU');
    const rounds = onHardware ?? (await measureOnGpu<Rounds | null>('gpu', { rounds: 5, acceptsEmulated: true }));
    if (!rounds) throw new Error('There is no WebGPU in this browser, not even by a software adapter.');
    const { adapter, emulated, cpuPath, gpuPath, gpuModel, gpuTensor } = rounds;
    note(`adapter: ${adapter || 'without a name'}`);
    const of = emulated ? ', on the software adapter' : '';
    return [
      { name: `GPU path${of}`, value: median(gpuPath), unit: 'ms' },
      { name: 'CPU path', value: median(cpuPath), unit: 'ms' },
      { name: `GPU path over CPU path${of}`, value: medianRatio(gpuPath, cpuPath), unit: '×' },
      { name: `GPU path over a tensor packed on the CPU${of}`, value: medianRatio(gpuPath, gpuTensor), unit: '×' },
      { name: `GPU path over the model alone${of}`, value: medianRatio(gpuPath, gpuModel), unit: '×' },
    ];
  },
};
