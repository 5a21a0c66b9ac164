import { cameraFrames } from './camera-frames.ts';
import { createBench, firstDetection, startClient } from './headless-bench.ts';

declare const performance: Performance & { measureUserAgentSpecificMemory(): Promise<{ readonly bytes: number }> };

/** Bytes that the page and its worker hold, garbage collected first, after each of the given numbers of camera frames. */
async function measure(marks: readonly number[]): Promise<number[]> {
  const client = startClient();
  const bench = createBench(client);
  client.attachStage(document.querySelector('canvas')!);
  const detection = firstDetection(client);
  bench.start();
  await detection;

  const frame = await (await cameraFrames(640, 480))();
  const bytes: number[] = [];
  let index = 0;
  for (const mark of marks) {
    for (; index < mark; index++) {
      // One name and number for all: the list of frames seen, which grows to its own bound, is not what is measured.
      await client.run(frame.clone(), { name: 'camera', index: 0, timestampMs: index });
    }
    bytes.push((await performance.measureUserAgentSpecificMemory()).bytes);
  }
  client.dispose();
  return bytes;
}

Object.assign(globalThis, { measure });
