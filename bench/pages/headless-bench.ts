import { Bench } from '../../src/app/bench/bench.svelte.ts';
import type { LiveMachinePort } from '../../src/app/bench/live-machine/live-machine-port.ts';
import { createVisionClient, type VisionClient } from '../../workers/vision/client/vision-client.ts';
import { createCameraPort } from '../../src/platform/browser/media/camera.ts';
import { droppedFiles } from '../../src/platform/browser/files/dropped-files.ts';
import { createIdbSourceStore } from '../../src/platform/browser/indexed-db/idb-source-store.ts';
import { createStillPort } from '../../src/platform/browser/media/stills.ts';
import { createVideoPort } from '../../src/platform/browser/media/video-file.ts';
import type { FrameResult } from '../../workers/vision/protocol.ts';

/** A data service for pages that only show the bench. */
export const noData = (): Promise<never> => Promise.reject(new Error('This page keeps no data.'));

const noMachine = (): Promise<never> => Promise.reject(new Error('This page asks no machine.'));

/**
 * The app's state and worker, composed as in src/main.ts, with the built-in detector on the CPU.
 *
 * @param liveMachine how machines are reached; default: not at all
 */
export function createBench(
  client: VisionClient,
  liveMachine: Omit<LiveMachinePort, 'pageUrl'> = { open: noMachine, keys: noMachine },
): Bench {
  const forgetful = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  return new Bench({
    vision: client,
    camera: createCameraPort(),
    video: createVideoPort(),
    stills: createStillPort(),
    droppedFiles,
    memory: forgetful,
    sharedMemory: forgetful,
    openCaptures: noData,
    openFitter: () => Promise.reject(new Error('This page fits no models.')),
    openFootage: () => Promise.reject(new Error('This page runs no whole videos.')),
    visits: {
      store: createIdbSourceStore(),
      hold: () => Promise.resolve(false),
      newId: () => 'bench',
      quotaBytes: () => Promise.resolve(null),
    },
    openGraph: () => Promise.reject(new Error('This page shows no graphs.')),
    profileModel: () => Promise.reject(new Error('This page profiles no models.')),
    openBackends: () => Promise.reject(new Error('This page compares no backends.')),
    liveMachine: { pageUrl: location.href, ...liveMachine },
    configFile: { canWrite: false, pick: async () => null },
    account: { pageUrl: location.href, open: noMachine, keys: noMachine },
  });
}

export function startClient(): VisionClient {
  return createVisionClient(
    () => new Worker(new URL('../../workers/vision/entry.ts', import.meta.url), { type: 'module', name: 'vision' }),
  );
}

/** The first result in which the detector found something. */
export function firstDetection(client: VisionClient): Promise<FrameResult> {
  return new Promise((resolve) => {
    const stop = client.onResult((result) => {
      if (!result.detections?.count) return;
      stop();
      resolve(result);
    });
  });
}
