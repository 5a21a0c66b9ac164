import type { FootageReader } from '../../ports/footage-reader.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import { decodedFootage } from './decoded-footage.ts';
import { fingerprintOf } from './footage-fingerprint.ts';
import { playedFootage } from './played-footage.ts';

/** Opens a whole video file: by the browser's decoder where it can, else by its player. @throws SourceError */
export async function openVideoFootage(file: Blob, name: string): Promise<FootageReader> {
  const fingerprint = await fingerprintOf(file);
  try {
    return await decodedFootage(file, name, fingerprint);
  } catch (error) {
    return playedFootage(file, name, fingerprint, errorMessage(error));
  }
}
