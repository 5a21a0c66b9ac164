import type { Capture } from '../../evidence/capture/capture.ts';

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/gif': '.gif',
  'image/bmp': '.bmp',
  'image/avif': '.avif',
};

/** A file keeps its own name without folders; a live frame is named after its source and its number. */
export function fileNameOf({ source, image }: Pick<Capture, 'source' | 'image'>): string {
  const base = source.name.split(/[/\\]/).at(-1)!.trim() || 'frame';
  const extension = extensions[image.mediaType] ?? '';
  if (source.kind === 'file') return /\.[A-Za-z0-9]{1,16}$/.test(base) ? base : base + extension;
  const device =
    base
      .replace(/\.[A-Za-z0-9]{1,5}$/, '')
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '') || 'frame';
  return `${device}-${String(source.index).padStart(6, '0')}${extension}`;
}
