import { DefaultReporter, type TestCase, type TestModule, type TestSpecification, type TestSuite } from 'vitest/node';
import { keepTestTimes } from './test-times.ts';

/** Vitest's own report, each file with its number, of how many, and the time since the start: `[ 37/412  1:05]`. */
export default class ProgressReporter extends DefaultReporter {
  #files = 0;
  #ended = 0;
  #startedMs = 0;

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    [this.#files, this.#ended, this.#startedMs] = [specifications.length, 0, performance.now()];
  }

  override onTestModuleEnd(module: TestModule): void {
    this.#ended++;
    super.onTestModuleEnd(module);
  }

  override onTestRunEnd(...[modules, ...rest]: Parameters<DefaultReporter['onTestRunEnd']>): void {
    super.onTestRunEnd(modules, ...rest);
    if (process.env['MEASURE_TESTS']) keepTestTimes(modules);
  }

  protected override getEntityPrefix(entity: TestCase | TestModule | TestSuite): string {
    const prefix = super.getEntityPrefix(entity);
    if (entity.type !== 'module') return prefix;
    const number = String(this.#ended).padStart(String(this.#files).length);
    return `[${number}/${this.#files} ${minutes(performance.now() - this.#startedMs).padStart(5)}] ${prefix}`;
  }
}

/** `1:05` for 65 seconds. */
export function minutes(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
