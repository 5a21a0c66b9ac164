import { mount, tick } from 'svelte';
import '../../src/app/theme.css';
import App from '../../src/app/App.svelte';
import { FootageSession } from '../../src/app/bench/footage/footage-session.svelte.ts';
import type { FootagePorts } from '../../src/app/bench/footage/footage-ports.ts';
import type { FootageFrame } from '../../src/evidence/footage/footage-frame.ts';
import { framesAPage } from '../../src/evidence/footage/pack-frames.ts';
import { createIdbFootageStore } from '../../src/platform/browser/indexed-db/idb-footage-store.ts';
import type { FootageReader } from '../../src/platform/ports/footage-reader.ts';
import { randomSource } from '../../tests/random-frame.ts';
import { createBench, firstDetection, noData, startClient } from './headless-bench.ts';

const [labelCount, present, frameMs] = [80, 6, 100];
const labels = Array.from({ length: labelCount }, (_, at) => `label ${at}`);
const stages = [{ step: -1, widthPx: 1280, heightPx: 720 }];

/** Frames of ten a second: of a few labels objects that come and go, and boxes of little score of all labels. */
function* madeFrames(count: number): Generator<FootageFrame> {
  const random = randomSource(5);
  const objects = Array.from({ length: present }, () => ({ left: 0, count: 0, base: 0 }));
  for (let index = 0; index < count; index++) {
    const rows: [label: number, score: number][] = [];
    for (const [label, object] of objects.entries()) {
      if (object.left-- <= 0) {
        object.left = 100 + Math.floor(600 * random());
        object.count = Math.floor(3 * random());
        object.base = 0.2 + 0.6 * random();
      }
      for (let at = 0; at < object.count; at++) rows.push([label, object.base + 0.2 * random()]);
    }
    for (let at = 0; at < 3; at++) rows.push([Math.floor(labelCount * random()), 0.3 * random()]);
    yield {
      index,
      timeMs: index * frameMs,
      name: 'long.mp4',
      stages,
      failure: null,
      detections: {
        count: rows.length,
        labels,
        labelIndex: Uint32Array.from(rows, ([label]) => label),
        score: Float64Array.from(rows, ([, score]) => Math.fround(score)),
        box: new Int32Array(4 * rows.length).map((_, at) => 40 * (at % 4)),
        frameWidthPx: 1280,
        frameHeightPx: 720,
        boxSpace: 'absolute',
        droppedNaN: 0,
      },
      classifications: null,
    };
  }
}

function madeReader(frameCount: number): FootageReader {
  return {
    name: 'long.mp4',
    kind: 'video',
    fingerprint: `made ${performance.timeOrigin}`,
    frameCount,
    durationMs: frameCount * frameMs,
    whySlow: '',
    frames: async function* () {},
    frameAt: async () => null,
  };
}

/** Opens the app on all of a video whose results are kept on the disk. Resolves when all of them are shown, to the time that this took, ms. */
async function openApp(frameCount: number): Promise<number> {
  const client = startClient();
  const bench = createBench(client);
  const detection = firstDetection(client);
  mount(App, { target: document.getElementById('app')!, props: { bench, openData: noData, openEvaluation: noData } });
  await detection;
  const store = createIdbFootageStore();
  const reader = madeReader(frameCount);
  const ports: FootagePorts = {
    openVideo: async () => reader,
    openPictures: () => Promise.reject(new Error('There are no pictures here.')),
    prepare: async () => ({
      see: () => Promise.reject(new Error('Nothing is run here.')),
      draw: () => Promise.reject(new Error('Nothing is drawn here.')),
    }),
    openWriter: () => Promise.reject(new Error('Nothing is written here.')),
    store,
    newId: () => `made ${performance.timeOrigin}`,
    sha256: async (bytes) => String(bytes.length),
    version: 'bench',
  };
  const session = new FootageSession({ kind: 'video', name: 'long.mp4', file: new Blob() }, bench, ports);
  await session.run.start();
  const run = { id: ports.newId(), fingerprint: reader.fingerprint, setup: session.run.setup! };
  let page: FootageFrame[] = [];
  for (const frame of madeFrames(frameCount)) {
    page.push(frame);
    if (page.length < framesAPage && frame.index < frameCount - 1) continue;
    const { index, timeMs } = frame;
    await store.append({ ...run, count: index + 1, last: { index, timeMs }, isWhole: index === frameCount - 1 }, page);
    page = [];
  }
  const startMs = performance.now();
  await session.run.start();
  bench.footage.begin(session);
  bench.footage.show('long.mp4');
  await session.digestAll();
  await painted();
  const openedMs = performance.now() - startMs;
  if (session.run.count !== frameCount) throw new Error(`The run has ${session.run.count} of ${frameCount} frames.`);
  const kept = (): number => session.digest.labels.reduce((sum, one) => sum + one.kept, 0);
  const moved = async (change: () => void): Promise<void> => {
    const before = session.digest.labels;
    change();
    await tick();
    await session.digestAll();
    await tick();
    if (session.digest.labels === before) throw new Error('A moved threshold changed nothing.');
  };
  Object.assign(globalThis, {
    moveDefault: (value: number) => repaintMs(() => moved(() => bench.thresholds.setDefault(value, true)), kept),
    moveLabel: (value: number) =>
      repaintMs(() => moved(() => bench.thresholds.setLabel(labels[0]!, value, true)), kept),
  });
  return openedMs;
}

/** The baseline: the same rows as flat columns, filtered and counted by label and part of the time, and drawn as bars. */
function openBare(frameCount: number): void {
  const made: { frame: number; label: number; score: number }[] = [];
  for (const { index, detections } of madeFrames(frameCount))
    for (let row = 0; row < detections!.count; row++)
      made.push({ frame: index, label: detections!.labelIndex[row]!, score: detections!.score[row]! });
  const frame = Uint32Array.from(made, (row) => row.frame);
  const label = Uint8Array.from(made, (row) => row.label);
  const score = Float32Array.from(made, (row) => row.score);
  made.length = 0;
  const buckets = 480;
  const words = document.createElement('p');
  const paths = Array.from({ length: present }, () => document.createElementNS('http://www.w3.org/2000/svg', 'path'));
  document.body.replaceChildren(
    words,
    ...paths.map((path) => {
      const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      svg.setAttribute('viewBox', `0 0 ${buckets} 100`);
      svg.setAttribute('preserveAspectRatio', 'none');
      svg.style.cssText = 'display: block; width: 900px; height: 64px';
      svg.append(path);
      return svg;
    }),
  );
  let kept = 0;
  const redraw = (threshold: number): void => {
    const frames = new Uint32Array(labelCount * buckets);
    const most = new Uint32Array(labelCount * buckets);
    const counts = new Uint32Array(labelCount);
    const lastFrame = new Int32Array(labelCount).fill(-1);
    kept = 0;
    for (let row = 0; row < score.length; row++) {
      if (!(score[row]! >= threshold)) continue;
      const of = label[row]!;
      const cell = of * buckets + Math.floor((frame[row]! / frameCount) * buckets);
      if (lastFrame[of] !== frame[row]) {
        lastFrame[of] = frame[row]!;
        counts[of] = 0;
        frames[cell]!++;
      }
      most[cell] = Math.max(most[cell]!, ++counts[of]!);
      kept++;
    }
    words.textContent = `${kept} kept on ${frames.reduce((sum, count) => sum + count, 0)}`;
    for (const [of, path] of paths.entries()) {
      let bars = '';
      for (let at = 0; at < buckets; at++) bars += `M${at} 100V${100 - 20 * most[of * buckets + at]!}h1V100z`;
      path.setAttribute('d', bars);
    }
  };
  Object.assign(globalThis, {
    moveDefault: (value: number) =>
      repaintMs(
        async () => redraw(value),
        () => kept,
      ),
  });
}

/** Milliseconds from a change until its numbers are painted, and how many boxes are kept then. */
async function repaintMs(change: () => Promise<void>, kept: () => number): Promise<{ ms: number; kept: number }> {
  const startMs = await new Promise<number>((resolve) => requestAnimationFrame(() => resolve(performance.now())));
  await change();
  await painted();
  return { ms: performance.now() - startMs, kept: kept() };
}

const painted = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    });
  });

Object.assign(globalThis, { measure: openApp, openBare });
