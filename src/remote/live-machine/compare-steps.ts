import type { CameraConfig } from '../../machine/config/face/machine-config.ts';
import { cameraChain, drawsOnTheWay } from '../../machine/vision/face/cameras.ts';
import { errorMessage } from '../../machine/vision/face/errors.ts';
import { captureBoth, type BothPictures } from './capture-both.ts';
import { judgeSteps, notCompared, type SteppedPictures, type StepsJudged } from './judge-steps.ts';
import { resourceApis, type LiveMachine } from './live-machine.ts';

export interface ComparedCamera {
  /** the cameras of the configuration here; null: there is none */
  readonly cameras: readonly CameraConfig[] | null;
  /** the camera that the machine's frames come from; '': it has none */
  readonly cameraName: string;
  /** Runs the steps on the source's frames, and compares. */
  readonly compare: (both: BothPictures) => Promise<SteppedPictures>;
}

/**
 * Compares what a transform camera of the machine gives with what its steps here make of its source's frame: the frames that a service
 * saw have been through them already, and tell nothing of them. Does not reject: what fails was not compared.
 */
export async function compareSteps(
  machine: LiveMachine,
  { cameras, cameraName, compare }: ComparedCamera,
  signal: AbortSignal,
): Promise<StepsJudged> {
  const not = (because: string): StepsJudged => notCompared(cameraName, because);
  if (cameras === null) return not('no configuration was given');
  if (cameraName === '') return not('the service names none');
  const camera = cameras.find(({ name }) => name === cameraName);
  if (!camera) return not('the configuration here has no such camera');
  if (camera.kind !== 'transform') return not('it has none here, and what it does there is not known');
  try {
    const chain = cameraChain(cameras, cameraName);
    const { sourceName } = chain;
    const there = await machine.resources(signal);
    if (!there.some(({ api, name }) => api === resourceApis.camera && name === sourceName))
      return not(`the machine has no camera “${sourceName}”, from which its frames come here`);
    const both = await captureBoth(machine, sourceName, cameraName, signal);
    return judgeSteps({ name: cameraName, sourceName, draws: drawsOnTheWay(chain) }, await compare(both));
  } catch (error) {
    return not(errorMessage(error).replace(/\.$/, ''));
  }
}
