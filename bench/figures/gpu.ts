import { medianRatio, median, type Figure } from '../figure.ts';

/** Milliseconds of each round. */
interface Rounds {
  readonly adapter: string;
  /** whether the adapter is software on the CPU */
  readonly emulated: boolean;
  /** from pixels in memory to the model's outputs */
  readonly cpuPath: readonly number[];
  readonly gpuPath: readonly number[];
  /** the GPU path of an 8×8 picture, with almost nothing to upload and resize */
  readonly gpuModel: readonly number[];
  /** the same model and frame, preprocessed on the CPU and uploaded as a tensor */
  readonly gpuTensor: readonly number[];
  /** ONNX Runtime alone, from an input buffer to outputs read back: with captured commands, and with commands encoded anew */
  readonly captured: readonly number[];
  readonly uncaptured: readonly number[];
  /** upload of the frame's bytes to the GPU, without reading back */
  readonly upload: readonly number[];
  /** '' = the GPU path replays captured commands; otherwise why it cannot */
  readonly notCaptured: string;
}

export const figure: Figure = {
  title: 'a 1280×720 frame to a 320×320 model and back, on the GPU against the CPU',
  async measure({ measureOnHardware, measureOnGpu, note }) {
    const onHardware = await measureOnHardware<Rounds | null>('gpu', { rounds: 40, acceptsEmulated: false });
    if (!onHardware) note('no GPU: what follows is of a software adapter, and says nothing of a GPU');
    const rounds = onHardware ?? (await measureOnGpu<Rounds | null>('gpu', { rounds: 3, acceptsEmulated: true }));
    if (!rounds) throw new Error('There is no WebGPU in this browser, not even by a software adapter.');
    const { adapter, emulated, cpuPath, gpuPath, gpuModel, gpuTensor, captured, uncaptured, upload } = rounds;
    note(`adapter: ${adapter || 'without a name'}`);
    if (rounds.notCaptured !== '') note(`the GPU path writes its orders for each frame, because ${rounds.notCaptured}`);
    const of = emulated ? ', on the software adapter' : '';
    const beyond = gpuPath.map((ms, round) => ms - captured[round]!);
    return [
      { name: `GPU path${of}`, value: median(gpuPath), unit: 'ms' },
      { name: 'CPU path', value: median(cpuPath), unit: 'ms' },
      { name: `GPU path over CPU path${of}`, value: medianRatio(gpuPath, cpuPath), unit: '×' },
      { name: `GPU path over a tensor packed on the CPU${of}`, value: medianRatio(gpuPath, gpuTensor), unit: '×' },
      { name: `GPU path over the model alone${of}`, value: medianRatio(gpuPath, gpuModel), unit: '×' },
      { name: `GPU path beyond session.run${of}`, value: median(beyond), unit: 'ms' },
      { name: `captured over uncaptured session.run${of}`, value: medianRatio(captured, uncaptured), unit: '×' },
      { name: `share of the copy limit beyond session.run${of}`, value: median(upload) / median(beyond), unit: '×' },
    ];
  },
};
