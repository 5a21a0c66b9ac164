import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { measuredMs, readTestTimes } from './test-times.ts';

/** Splits files of tests into shards that take equally long, and begins with the longest, by the times that were measured. */
export default class MeasuredSequencer extends BaseSequencer {
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard!;
    return sharesOf(files, count, timeOf())[index - 1]!;
  }

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const timeMs = timeOf();
    const sorted = await super.sort(files); // by project
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((own) =>
      sorted.filter(({ project }) => project === own).sort((a, b) => timeMs(b) - timeMs(a)),
    );
  }
}

function timeOf(): (file: TestSpecification) => number {
  const times = readTestTimes();
  return (file) => measuredMs(file, times);
}

/** Shares of about the same sum: each file, the longest first, goes to the share that has least. */
export function sharesOf<File>(files: readonly File[], count: number, timeMs: (file: File) => number): File[][] {
  const shares = Array.from({ length: count }, () => ({ files: [] as File[], ms: 0 }));
  for (const file of [...files].sort((a, b) => timeMs(b) - timeMs(a))) {
    const least = shares.reduce((best, share) => (share.ms < best.ms ? share : best));
    least.files.push(file);
    least.ms += timeMs(file);
  }
  return shares.map((share) => share.files);
}
