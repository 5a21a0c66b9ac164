import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJpeg } from '../../src/platform/decode/jpeg.ts';
import type { Rgba8Frame } from '../../src/machine/vision/frame/frame-formats.ts';
import { crop } from '../../src/machine/vision/transforms/crop.ts';
import { resizeNearest } from '../../src/machine/vision/transforms/resize.ts';

/** The first built-in photograph: three faces, 1920×1280. */
export const firstSample = 'dist/builtin/frames/sample1.jpg';

export const builtinDetector = {
  model: 'dist/builtin/models/face-detector.onnx',
  labels: 'dist/builtin/models/face-detector.labels.txt',
};

/** A WebM video of twenty frames from dark to light: 64×48, ten frames per second. */
export const twentyGrays = 'tests/browser/fixtures/twenty-grays.webm';

/** Development data outside the repository. Tests that need it are skipped if it is missing. */
export const sharedData = '../shared/data';

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'sightglass-e2e-'));
}

/** Crops of the first sample that pan down and up again; each shows three faces. */
function panningFrames(widthPx: number, heightPx: number): Rgba8Frame[] {
  const photograph = decodeJpeg(readFileSync(firstSample));
  const scaled = resizeNearest(photograph, { widthPx, heightPx: Math.round((widthPx * 2) / 3) });
  const roomPx = scaled.heightPx - heightPx;
  return [0, 0.2, 0.4, 0.6, 0.4, 0.2].map((share) => {
    const yMin = Math.round(share * roomPx);
    return crop(scaled, { xMin: 0, yMin, xMax: widthPx, yMax: yMin + heightPx, overlayCropBox: false });
  });
}

/** Writes a video for Chromium's fake camera with ten frames per second; returns its path. */
export function writeCameraFilm(folder: string, widthPx: number, heightPx: number): string {
  const header = `YUV4MPEG2 W${widthPx} H${heightPx} F10:1 Ip A1:1 C420jpeg\n`;
  const frames = panningFrames(widthPx, heightPx).flatMap((frame) => [Buffer.from('FRAME\n'), i420Of(frame)]);
  const path = join(folder, `${widthPx}x${heightPx}.y4m`);
  writeFileSync(path, Buffer.concat([Buffer.from(header), ...frames]));
  return path;
}

// Chromium reads .y4m as BT.601 limited range. Chroma is taken from every second pixel.
function i420Of({ widthPx, heightPx, samples }: Rgba8Frame): Buffer {
  const luma = Buffer.alloc(widthPx * heightPx);
  const blue = Buffer.alloc(luma.length / 4);
  const red = Buffer.alloc(luma.length / 4);
  for (let y = 0, at = 0, chromaAt = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, at++) {
      const [r, g, b] = samples.subarray(4 * at, 4 * at + 3) as unknown as [number, number, number];
      luma[at] = 16 + 0.257 * r + 0.504 * g + 0.098 * b;
      if (y % 2 || x % 2) continue;
      blue[chromaAt] = 128 - 0.148 * r - 0.291 * g + 0.439 * b;
      red[chromaAt++] = 128 + 0.439 * r - 0.368 * g - 0.071 * b;
    }
  }
  return Buffer.concat([luma, blue, red]);
}
