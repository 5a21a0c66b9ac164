import { BlobReader, BlobWriter, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import type { AnnotatedWriter } from '../../ports/annotated-video.ts';

/** A zip of JPEG files, numbered from 0, with their times in ms in their names. */
export function annotatedZip(whyZip: string): AnnotatedWriter {
  const zip = new ZipWriter(new BlobWriter('application/zip'), { useWebWorkers: false });
  let count = 0;
  return {
    extension: '.zip',
    whyZip,
    async add(canvas, timeMs) {
      const picture = await new Promise<Blob>((resolve, reject) =>
        canvas.toBlob(
          (jpeg) => (jpeg ? resolve(jpeg) : reject(new Error('The browser could not write a JPEG.'))),
          'image/jpeg',
          0.92,
        ),
      );
      const name = `${String(count++).padStart(6, '0')}-${Math.round(timeMs)}ms.jpg`;
      await zip.add(name, new BlobReader(picture), { level: 0 }); // a JPEG is compressed already
    },
    finish: () => zip.close(),
    close: () => undefined,
  };
}
