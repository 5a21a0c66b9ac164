import { expect, it } from 'vitest';
import { firstPaintOf } from '../../scripts/first-paint.ts';

it('needs no more than 130 KB of page, scripts and styles for the first paint', async () => {
  const { paths, gzipBytes } = await firstPaintOf('dist');
  for (const kind of [/\.js$/, /\.css$/]) expect(paths.some((path) => kind.test(path))).toBe(true);
  expect(gzipBytes / 1024).toBeLessThanOrEqual(130);
});
