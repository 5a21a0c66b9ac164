import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What the first paint of a built app waits for: the page, and the scripts and styles that it names. No paint waits for workers. */
export interface FirstPaint {
  /** relative to the build */
  readonly paths: readonly string[];
  /** size of all of them, each compressed by gzip at its best */
  readonly gzipBytes: number;
}

/** Measures the build in a folder. Rejects if there is none. */
export async function firstPaintOf(outDir: string): Promise<FirstPaint> {
  const html = await readFile(join(outDir, 'index.html'), 'utf8');
  const named = html.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="(?:\.\/)?([^"]+\.(?:js|css))"/g);
  const paths = ['index.html', ...new Set(Array.from(named, ([, path]) => path!))];
  const files = await Promise.all(paths.map((path) => readFile(join(outDir, path))));
  return { paths, gzipBytes: files.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0) };
}
