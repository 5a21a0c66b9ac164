import { setConsoleFunction } from 'three';
import { PCDLoader } from 'three/examples/jsm/loaders/PCDLoader.js';
import type { PointCloud } from '../../ports/point-cloud.ts';

/**
 * Reads a PCD file by three.js's loader, which knows all three encodings. Points without a place (NaN, as cameras with
 * depth write them for what they could not see) are left out.
 * @throws Error in words for a person
 */
export function readPcd(bytes: ArrayBuffer): PointCloud {
  const head = new TextDecoder().decode(bytes.slice(0, 4096));
  if (!/^\s*(#.*\n\s*)*VERSION\b/i.test(head) || !/\bDATA\s+\S+/i.test(head))
    throw new Error('The file does not begin as a PCD file does.');
  setConsoleFunction(() => undefined); // the loader complains of every NaN
  const { geometry } = parse(bytes, head);
  const position = geometry.getAttribute('position') as { array: ArrayLike<number> } | undefined;
  if (!position) throw new Error('The file has no x, y and z.');
  const color = (geometry.getAttribute('color') as { array: ArrayLike<number> } | undefined)?.array ?? null;
  const intensity = (geometry.getAttribute('intensity') as { array: ArrayLike<number> } | undefined)?.array ?? null;
  return withPlaces(position.array, color, intensity);
}

function parse(bytes: ArrayBuffer, head: string): ReturnType<PCDLoader['parse']> {
  try {
    return new PCDLoader().parse(bytes);
  } catch (cause) {
    // When a file was cut off, the loader says where it stopped; of other defects it says nothing.
    throw new Error(cutOff(bytes, head) ?? 'Its header and its points do not go together.', { cause });
  }
}

/** What a binary file lacks at its end; null where it lacks nothing. */
function cutOff(bytes: ArrayBuffer, head: string): string | null {
  const data = /^DATA\s+(\S+)[^\n]*\n/im.exec(head);
  const line = (name: string): number[] =>
    (new RegExp(`^${name} (.*)`, 'im').exec(head)?.[1] ?? '').trim().split(/\s+/).map(Number);
  if (data?.[1]?.toLowerCase() === 'binary_compressed') return 'The file ends too soon, or is packed in another way.';
  if (!data) return null;
  const counts = line('COUNT');
  const pointBytes = line('SIZE').reduce((sum, size, at) => sum + size * (counts[at] ?? 1), 0);
  const [points = 0] = line('POINTS');
  const needed = points * pointBytes;
  const given = bytes.byteLength - data.index - data[0].length;
  if (!(given < needed)) return null;
  const [many, need, are] = [points, needed, given].map((figure) => figure.toLocaleString('en'));
  return `The file ends too soon: ${many} points need ${need} bytes, and ${are} are there.`;
}

function withPlaces(
  given: ArrayLike<number>,
  color: ArrayLike<number> | null,
  intensity: ArrayLike<number> | null,
): PointCloud {
  const total = Math.floor(given.length / 3);
  const positions = new Float32Array(total * 3);
  const colors = color && new Float32Array(total * 3);
  const intensities = intensity && new Float32Array(total);
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  let count = 0;
  for (let point = 0; point < total; point++) {
    const at = point * 3;
    if (!Number.isFinite(given[at]! + given[at + 1]! + given[at + 2]!)) continue;
    for (let axis = 0; axis < 3; axis++) {
      const value = given[at + axis]!;
      positions[count * 3 + axis] = value;
      if (value < min[axis]!) min[axis] = value;
      if (value > max[axis]!) max[axis] = value;
      if (colors && color) colors[count * 3 + axis] = color[at + axis]!;
    }
    if (intensities && intensity) intensities[count] = intensity[point]!;
    count += 1;
  }
  if (count === 0) throw new Error('None of its points has a place.');
  return {
    count,
    positions: positions.slice(0, count * 3),
    colors: colors && colors.slice(0, count * 3),
    intensities: intensities && intensities.slice(0, count),
    bounds: { min, max },
    leftOutCount: total - count,
  };
}
