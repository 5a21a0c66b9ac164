import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, medianRatio, type Figure } from '../figure.ts';
import type { OutboxSpeeds } from '../pages/outbox-speeds.ts';
import { startRealServer } from '../real-server.ts';

const pictureBytes = 30_000;
const picturesARound = 152;
const rounds = 5;

export const figure: Figure = {
  title: `${picturesARound} pictures of ${pictureBytes / 1000} kB by the outbox to a server on this machine, against bare uploads of as many`,
  async measure({ measureOnDisk, root, note }) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-outbox-'));
    const server = await startRealServer(root, folder);
    try {
      const { url, keyId, key, partId } = server;
      const place = { url, keyId, key, partId };
      const { outbox, bare } = await measureOnDisk<OutboxSpeeds>(
        'outbox-uploads',
        place,
        pictureBytes,
        picturesARound,
        rounds,
      );
      note(
        `bare ${spread(bare)}; each picture is recorded before it is sent, and again when the server says that it has it`,
      );
      return [
        { name: 'pictures a second by the outbox', value: median(outbox), unit: '/s', atLeast: 20 },
        { name: 'the outbox over bare uploads', value: medianRatio(outbox, bare), unit: '×', atLeast: 0.6 },
      ];
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  },
};

const spread = (speeds: readonly number[]): string =>
  `${median(speeds).toFixed(0)} pictures/s (${Math.min(...speeds).toFixed(0)}–${Math.max(...speeds).toFixed(0)})`;
