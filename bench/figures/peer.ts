import { cpSync, existsSync } from 'node:fs';
import { median, medianRatio, type Figure, type Measurement } from '../figure.ts';

const rounds = 60;
const peerFolder = 'bench/peers/ultralytics';
const peerPackage = `${peerFolder}/node_modules/@ultralytics/yolo`;

interface Ways {
  /** ms from the frame to its boxes, for each round; `peer` only if it is installed */
  readonly times: Rounds;
  /** the same without the time of the model itself, as each implementation measures it */
  readonly beyond: Rounds;
  readonly boxes: Readonly<Record<string, number>>;
}
type Rounds = Readonly<Record<'bare' | 'tail' | 'stretched' | 'padded' | 'plain', readonly number[]>> & {
  readonly peer?: readonly number[];
};

export const figure: Figure = {
  title:
    'a camera frame of 1280×720 to drawn boxes by one YOLO model (640×640, 30 objects), one after the other, on WASM in the page',
  limitMinutes: 10,
  async measure({ openPage, root, note }) {
    const page = await openPage('peer'); // before the copy below, because building the pages empties the folder
    const isHere = existsSync(`${root}${peerPackage}`);
    if (isHere) {
      // Copy the peer beside the pages, with the same runtime as ours. It is not part of any build.
      cpSync(`${root}${peerPackage}`, `${root}build/bench/peer`, { recursive: true });
      cpSync(`${root}node_modules/onnxruntime-web/dist`, `${root}build/bench/ort`, { recursive: true });
    } else {
      note(`@ultralytics/yolo (AGPL-3.0) is not here, and is left out. To compare: npm ci --prefix ${peerFolder}`);
    }
    const ways = await page.evaluate(
      ([count, peer]) => {
        const { measure } = globalThis as unknown as { measure: (...given: unknown[]) => Promise<Ways> };
        return measure(count, peer);
      },
      [rounds, isHere ? { url: './peer/dist/index.js', ortUrl: './ort/' } : null] as const,
    );
    await page.close();
    const { times, beyond, boxes } = ways;
    note(
      `boxes drawn: ${Object.entries(boxes)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`,
    );
    const own = beyondOurs(ways);
    return [
      { name: 'session.run alone', value: median(times.bare), unit: 'ms' },
      { name: "Sightglass, the machine's exact stretch, in all", value: median(times.stretched), unit: 'ms' },
      { name: 'that beyond the network: suppression in the graph counts', value: own, unit: 'ms' },
      { name: 'of this suppression', value: median(times.tail), unit: 'ms' },
      { name: 'Sightglass, padded in the graph, in all', value: median(times.padded), unit: 'ms' },
      { name: 'the plain way (canvas, loops), in all', value: median(times.plain), unit: 'ms' },
      { name: 'that beyond the network', value: median(beyond.plain), unit: 'ms' },
      { name: 'the plain way over Sightglass, in all', value: medianRatio(times.plain, times.stretched), unit: '×' },
      { name: 'the plain way over Sightglass, beyond the network', value: median(beyond.plain) / own, unit: '×' },
      ...(times.peer && beyond.peer ? againstPeer(times.peer, beyond.peer, times.stretched, own) : []),
    ];
  },
};

/** Our time beyond the network. Suppression is part of our model's graph, so its time is added. */
function beyondOurs({ times, beyond }: Ways): number {
  return median(beyond.stretched) + median(times.tail);
}

function againstPeer(
  times: readonly number[],
  beyond: readonly number[],
  ours: readonly number[],
  ownBeyond: number,
): Measurement[] {
  const name = '@ultralytics/yolo';
  return [
    { name: `${name}, in all`, value: median(times), unit: 'ms' },
    { name: 'that beyond the network', value: median(beyond), unit: 'ms' },
    { name: `${name} over Sightglass, in all`, value: medianRatio(times, ours), unit: '×', atLeast: 1 },
    { name: `${name} over Sightglass, beyond the network`, value: median(beyond) / ownBeyond, unit: '×', atLeast: 1.5 },
  ];
}
