import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { createVitest, ThreadsPoolWorker, type TestModule, type Vitest } from 'vitest/node';

export interface TestAnswer {
  readonly outcome: 'passed' | 'failed' | 'timeout';
  /** What failed first, '' where nothing did. */
  readonly why: string;
  /** Without the time in which files are loaded. */
  readonly durationMs: number;
  /** The numbers of the sites that the file's tests came to. */
  readonly reached: readonly number[];
}

/** A Vitest that stays open and runs one test file at a time. It can load given texts in place of files. */
export class TestSession {
  readonly #served = new Map<string, string>();
  readonly #sites: number;
  #vitest: Promise<Vitest> | null = null;
  #thread: ThreadsPoolWorker | null = null;

  constructor(sites: number) {
    this.#sites = sites;
  }

  async serve(path: string, text: string): Promise<void> {
    if (this.#served.get(path) === text) return;
    this.#served.set(path, text);
    (await this.#vitest)?.invalidateFile(path);
  }

  /** No loop and no test may take longer than `patienceMs`; a thread that neither stops is ended after a while more. */
  async run(testPath: string, patienceMs: number): Promise<TestAnswer> {
    const vitest = await (this.#vitest ??= this.#start());
    const project = vitest.getRootProject();
    project.provide('sites', this.#sites);
    project.provide('patienceMs', patienceMs);
    let isStuck = false;
    const stop = setTimeout(() => {
      isStuck = true;
      this.#thread?.stop().catch(() => undefined); // it may come to its end in this very moment
    }, 2 * patienceMs);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([
      project.createSpecification(testPath),
    ]);
    clearTimeout(stop);
    if (isStuck) return { outcome: 'timeout', why: 'The thread had to be ended.', durationMs: 0, reached: [] };
    // Files of earlier runs are in the answer too.
    return answerOf(
      testModules.find(({ moduleId }) => moduleId === testPath)!,
      unhandledErrors,
    );
  }

  async close(): Promise<void> {
    const vitest = await this.#vitest;
    this.#vitest = null;
    await vitest?.close();
  }

  #start(): Promise<Vitest> {
    const served = this.#served;
    return createVitest(
      {
        config: false,
        watch: false,
        include: ['**/*.test.ts'],
        pool: {
          name: 'threads that can be ended',
          createPoolWorker: (options) => (this.#thread = new ThreadsPoolWorker(options)),
        },
        maxWorkers: 1,
        fsModuleCache: false, // it knows files by what is on the disk
        bail: 1,
        silent: true,
        reporters: [{}],
        setupFiles: [fileURLToPath(new URL('worker-setup.ts', import.meta.url))],
      },
      {
        logLevel: 'error',
        plugins: [
          svelte(),
          { name: 'served-texts', enforce: 'pre', load: (id) => served.get(id.replace(/\?.*$/, '')) ?? null },
        ],
      },
    );
  }
}

function answerOf(file: TestModule, unhandled: readonly unknown[]): TestAnswer {
  const tests = [...file.children.allTests()];
  const errors = [
    ...file.errors(),
    ...[...file.children.allSuites()].flatMap((suite) => suite.errors()),
    ...tests.flatMap((test) => test.result().errors ?? []),
    ...unhandled,
  ];
  const why = errors.map((error) => (error as Error).message)[0] ?? '';
  const isTimeout = /^A loop does not come to its end|timed out in \d+ms/.test(why);
  const outcome = errors.length === 0 && file.ok() ? 'passed' : isTimeout ? 'timeout' : 'failed';
  return { outcome, why, durationMs: file.diagnostic().duration, reached: file.meta().reached ?? [] };
}
