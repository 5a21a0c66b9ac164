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
    for (const line of failures(modules)) console.log(line);
    if (process.env['MEASURE_TESTS']) keepTestTimes(modules);
  }

  protected override getEntityPrefix(entity: TestCase | TestModule | TestSuite): string {
    const prefix = super.getEntityPrefix(entity);
    if (entity.type !== 'module') return prefix;
    const number = String(this.#ended).padStart(String(this.#files).length);
    return `[${number}/${this.#files} ${minutes(performance.now() - this.#startedMs).padStart(5)}] ${prefix}`;
  }
}

/** One line for each failure, with its reason. They are printed last, so that a truncated log still has them. */
function failures(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) =>
    [module, ...module.children.allTests('failed')].flatMap((failed) => {
      const errors = failed.type === 'test' ? (failed.result().errors ?? []) : failed.errors();
      const name = failed.type === 'test' ? ` > ${failed.fullName}` : '';
      return errors.map(({ message }) => `FAILED ${module.relativeModuleId}${name}: ${firstLine(message)}`);
    }),
  );
}

const firstLine = (text: string): string => text.split('\n', 1)[0]!.slice(0, 200);

/** `1:05` for 65 seconds. */
export function minutes(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
