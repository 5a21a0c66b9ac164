import { median, medianRatio, type Figure } from '../figure.ts';
import type { UploadSpeeds } from '../pages/upload-speeds.ts';

const sizes = [
  { name: '100 KB', bytes: 100_000, files: 80 },
  { name: '1 MiB', bytes: 1 << 20, files: 32 },
] as const;
const rounds = 8;

export const figure: Figure = {
  title: 'uploads through the data service in its worker against bare puts of the same Blobs with idb, 8 at a time',
  async measure({ measureOnDisk, note }) {
    const measurements = [];
    for (const { name, bytes, files } of sizes) {
      const speeds = await measureOnDisk<UploadSpeeds>('idb-uploads', bytes, files, rounds);
      const { service, bareSynced, bare } = speeds;
      note(`${name}: ${spread(service)} of the service, ${spread(bareSynced)} bare and synced, ${spread(bare)} bare`);
      const asDurable = medianRatio(service, bareSynced);
      const asIs = medianRatio(service, bare);
      measurements.push(
        { name: `uploads of ${name} over bare puts as durable`, value: asDurable, unit: '×', atLeast: 0.8 },
        { name: `uploads of ${name} over bare puts`, value: asIs, unit: '×' },
      );
    }
    return measurements;
  },
};

const spread = (speeds: readonly number[]): string =>
  `${median(speeds).toFixed(0)} files/s (${Math.min(...speeds).toFixed(0)}–${Math.max(...speeds).toFixed(0)})`;
