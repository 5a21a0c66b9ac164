import type { PictureIo } from '../../src/platform/ports/picture-io.ts';
import type { InferenceSession } from '../../src/machine/vision/face/inference.ts';
import type { TextFace } from '../../src/machine/vision/face/traces.ts';
import type { StretchKernel } from '../../src/machine/vision/face/feeding.ts';
import type { ThreadedRuntime } from '../inference/client.ts';
import { PlanRunner } from '../vision/engine/plan-runner.ts';
import { readModelSource, type ModelSourceAccess } from '../vision/engine/read-model-source.ts';
import { compareSides, type OpenSide, type SeenPicture } from './compare-sides.ts';
import { huntDifference, type HuntedSide } from './hunt-difference.ts';
import type { ComparisonTask, FoundDifference, SideKind, SidesCompared, SideTask } from './protocol.ts';

export interface BackendsPorts extends Omit<ModelSourceAccess, 'documentBase'> {
  /** A runtime whose models run in the way of a side; one worker has one number of threads. */
  readonly runtimeOf: (
    kind: SideKind,
  ) => Pick<ThreadedRuntime, 'open' | 'lastRunMs'> & Partial<Pick<ThreadedRuntime, 'capabilities'>>;
  /** what reads and packs frames */
  readonly load: (
    documentBase: string,
  ) => Promise<{ readonly kernel: StretchKernel; readonly font: TextFace; readonly pictures: Pick<PictureIo, 'read'> }>;
  readonly nowMs: () => number;
  readonly versions: { readonly ort: string; readonly browser: string };
}

export type BackendsApi = ReturnType<typeof createBackendsApi>;

/** Runs models on two sides in a worker that lives only for one call, separate from the live loop: its end frees all of it. */
export function createBackendsApi(ports: BackendsPorts) {
  const { signal } = new AbortController();

  async function opened(task: SideTask, documentBase: string): Promise<OpenSide> {
    const runtime = ports.runtimeOf(task.kind);
    const { bytes } = await readModelSource(task.source, { ...ports, documentBase }, () => undefined, signal);
    const session: InferenceSession = await runtime.open(bytes, task.kind === 'webgpu' ? 'webgpu' : 'wasm');
    return { task, session, lastRunMs: () => runtime.lastRunMs };
  }

  async function prepared({ config, cameraName, pictures: given }: ComparisonTask, documentBase: string) {
    const { kernel, font, pictures } = await ports.load(documentBase);
    const { nowMs } = ports;
    const runner = new PlanRunner({ modelOf: () => undefined, font, kernel, nowMs });
    await runner.set({ ...noService, config, cameraName });
    const seen = given.map(({ name, content }): SeenPicture => ({
      name,
      frame: async () => runner.frameOf(await pictures.read(content), cameraName),
    }));
    return { seen, runner };
  }

  return {
    /**
     * Compares what two sides say of pictures. `tell` receives 0..1.
     * @throws ModelSourceError, ModelError, InferenceError, ImageDecodeError, MachineError
     */
    async compare(
      task: ComparisonTask,
      documentBase: string,
      tell: (fraction: number) => void,
    ): Promise<SidesCompared> {
      const { seen, runner } = await prepared(task, documentBase);
      const reference = await opened(task.reference, documentBase);
      try {
        const other = await opened(task.other, documentBase);
        try {
          const onPicture = (done: number): void => tell(done / seen.length);
          return await compareSides(reference, other, seen, runner.pipelinePorts, onPicture);
        } finally {
          await other.session.release();
        }
      } finally {
        await reference.session.release();
      }
    },

    /**
     * Finds the first part of the model that gives something else on the other side, for the first picture; a second one is what was
     * run before it. `tell` receives the number of each run.
     * @throws as `compare`
     */
    async findDifference(
      task: ComparisonTask,
      names: { readonly reference: string; readonly other: string },
      documentBase: string,
      tell: (run: number) => void,
    ): Promise<FoundDifference> {
      const { seen, runner } = await prepared(task, documentBase);
      const [frame, earlier] = [await seen[0]!.frame(), (await seen[1]?.frame()) ?? null];
      const side = async (which: 'reference' | 'other'): Promise<HuntedSide> => {
        const { source, kind, vision } = task[which];
        const { bytes } = await readModelSource(source, { ...ports, documentBase }, () => undefined, signal);
        const runtime = ports.runtimeOf(kind);
        const backend = kind === 'webgpu' ? 'webgpu' : 'wasm';
        const adapter = kind === 'webgpu' ? ((await runtime.capabilities?.())?.webgpu.adapter ?? '') : '';
        return { name: names[which], bytes, vision, backend, adapter, open: (model) => runtime.open(model, backend) };
      };
      const sides = [await side('reference'), await side('other')] as const;
      const { stretchKernel } = runner.pipelinePorts;
      return huntDifference(sides, { frame, earlier }, stretchKernel, ports.versions, tell);
    },
  };
}

const noService = { visionName: null, models: {}, undistortPreview: false, shownStage: null, thumbnails: false };
