import type { Disk } from '../../data-service/ports/disk.ts';

/** A disk whose room the test says. */
export interface TestDisk extends Disk {
  free: number;
  database: number;
  reserve: boolean;
}

export function testDisk(): TestDisk {
  const disk: TestDisk = {
    free: 10e9,
    database: 1000,
    reserve: false,
    freeBytes: async () => disk.free,
    databaseBytes: async () => disk.database,
    async holdReserve() {
      disk.reserve = true;
    },
    async giveReserve() {
      const held = disk.reserve;
      disk.reserve = false;
      return held;
    },
  };
  return disk;
}
