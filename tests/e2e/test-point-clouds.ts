/** x, y, z, followed by red, green, blue (0..255) if the cloud has colours. */
export type TestPoint = readonly number[];

function header(points: readonly TestPoint[], encoding: 'ascii' | 'binary'): string {
  const colored = points[0]!.length === 6;
  const lines = [
    '# .PCD v0.7 - Point Cloud Data file format',
    'VERSION 0.7',
    ...(colored
      ? ['FIELDS x y z rgb', 'SIZE 4 4 4 4', 'TYPE F F F U', 'COUNT 1 1 1 1']
      : ['FIELDS x y z', 'SIZE 4 4 4', 'TYPE F F F', 'COUNT 1 1 1']),
    `WIDTH ${points.length}`,
    'HEIGHT 1',
    'VIEWPOINT 0 0 0 1 0 0 0',
    `POINTS ${points.length}`,
    `DATA ${encoding}`,
  ];
  return `${lines.join('\n')}\n`;
}

const packed = ([, , , red = 0, green = 0, blue = 0]: TestPoint): number => (red << 16) | (green << 8) | blue;

export function asciiPcd(points: readonly TestPoint[]): Buffer {
  const lines = points.map((point) => [...point.slice(0, 3), ...(point.length === 6 ? [packed(point)] : [])].join(' '));
  return Buffer.from(`${header(points, 'ascii')}${lines.join('\n')}\n`);
}

export function binaryPcd(points: readonly TestPoint[]): Buffer {
  const fields = points[0]!.length === 6 ? 4 : 3;
  const body = Buffer.alloc(points.length * fields * 4);
  for (const [at, point] of points.entries()) {
    for (let axis = 0; axis < 3; axis++) body.writeFloatLE(point[axis]!, (at * fields + axis) * 4);
    if (fields === 4) body.writeUInt32LE(packed(point), (at * fields + 3) * 4);
  }
  return Buffer.concat([Buffer.from(header(points, 'binary')), body]);
}

/** A cube of n³ points around a centre, 0.4 wide. */
export function block(
  [x, y, z]: readonly [number, number, number],
  color: readonly number[] = [],
  n = 12,
): TestPoint[] {
  const step = (at: number): number => (at / (n - 1) - 0.5) * 0.4;
  return Array.from({ length: n ** 3 }, (_, i) => [
    x + step(i % n),
    y + step(Math.floor(i / n) % n),
    z + step(Math.floor(i / n ** 2)),
    ...color,
  ]);
}
