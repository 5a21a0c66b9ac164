import { cameraFrames } from './camera-frames.ts';
import { createBench, firstDetection, startClient } from './headless-bench.ts';

/** Results a second while a camera that is faster than the model offers frames. */
async function measure(seconds: number): Promise<{ framesPerSecond: number; widthPx: number; heightPx: number }> {
  const client = startClient();
  const bench = createBench(client);
  client.attachStage(document.querySelector('canvas')!);
  const detection = firstDetection(client);
  bench.start();
  await detection;

  const nextFrame = await cameraFrames(1280, 720);
  const frames = [await nextFrame(), await nextFrame()]; // more would starve the camera, which lends out few
  let offered = 0;
  let finished = 0;
  const offer = () => {
    const frame = frames[offered % frames.length]!.clone();
    const info = { name: 'camera', index: offered++, timestampMs: performance.now() };
    void client.run(frame, info).then((result) => (finished += result ? 1 : 0));
  };
  const offering = setInterval(offer, 4);
  await new Promise((resolve) => setTimeout(resolve, 3000)); // warm
  const startMs = performance.now();
  const before = finished;
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  const framesPerSecond = (1000 * (finished - before)) / (performance.now() - startMs);
  clearInterval(offering);
  client.dispose();
  return { framesPerSecond, widthPx: 1280, heightPx: 720 };
}

Object.assign(globalThis, { measure });
