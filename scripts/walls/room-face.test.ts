import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { roomFace } from './room-face.ts';

/** The rooms that many others stand on. A change of what they offer is a diff of a file: `npx vitest -u` writes it. */
const rooms = [
  'src/data-service',
  'src/evidence/datasets',
  'src/evidence/evaluation',
  'src/machine/config',
  'src/machine/vision',
  'src/models/fit',
  'src/models/onnx',
];

it.each(rooms)('shows the face of %s, and says beside it what the room is', async (room) => {
  await expect(roomFace(room)).toMatchFileSnapshot(`../../${room}/FACE.md`);
  const readme = readFileSync(`${room}/README.md`, 'utf8');
  const named = [...readme.matchAll(/`([\w/-]+(?:\.ts|\/))`/g)].map(([, path]) => path!);
  expect(named.filter((path) => ![join(room, path), path].some(existsSync))).toEqual([]);
  expect(named.length).toBeGreaterThan(4);
  expect(readme.split('\n').length).toBeLessThan(50);
});
