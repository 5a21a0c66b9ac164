import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { readFrameFile } from '../src/platform/node/frame-file.ts';
import type { Frame } from '../src/machine/vision/frame/frame.ts';

// Published models and photographs, which are not in the repository. Figures that need missing ones skip them with a note.

const folder = new URL('../../shared/data/', import.meta.url);

export function sharedModelPath(name: string): string {
  return new URL(`models/${name}`, folder).pathname;
}

/** The bytes of a published model; null if the file is missing. */
export async function sharedModel(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const file = sharedModelPath(name);
  return existsSync(file) ? new Uint8Array(await readFile(file)) : null;
}

/** A photograph by its path among the pictures. */
export function sharedPhotograph(path: string): Promise<Frame> {
  return readFrameFile(new URL(`images/${path}`, folder).pathname);
}

/** A photograph's encoded bytes. */
export function sharedPicture(path: string): Promise<Buffer> {
  return readFile(new URL(`images/${path}`, folder));
}

export const sharedVideoPath = (name: string): string => new URL(`video/${name}`, folder).pathname;
