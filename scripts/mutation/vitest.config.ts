import { defineConfig } from 'vitest/config';

/** What can kill a mutant of the pure folders: their own tests and the contract suites, in this process alone. */
export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 60_000,
    include: ['src/{vision,outbox,datasets,data-service,capture,config}/**/*.test.ts', 'tests/contract/**/*.test.ts'],
  },
});
