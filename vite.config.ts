import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { contentSecurityPolicyPlugin } from './scripts/content-security-policy-plugin.ts';
import { docsPlugin } from './scripts/docs/docs-plugin.ts';
import { serviceWorkerPlugin } from './scripts/service-worker-plugin.ts';
import { isolationPlugin, optimizeDeps, workerEntriesPlugin, workerFileName } from './scripts/vite-settings.ts';

export default defineConfig({
  base: './', // works from any folder of any static host
  plugins: [isolationPlugin(), svelte(), contentSecurityPolicyPlugin(), docsPlugin(), serviceWorkerPlugin()],
  worker: {
    format: 'es',
    plugins: () => [workerEntriesPlugin()],
    rolldownOptions: { output: { entryFileNames: workerFileName } },
  },
  optimizeDeps,
  build: {
    target: 'es2023',
    // The one file of the first paint preloads nothing, and where a browser does not know the links of later parts, they only load later.
    modulePreload: { polyfill: false },
    // What the first paint needs is one file: in pieces, as parts that come later share them, it is a tenth larger and eighty requests.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'app', tags: ['$initial'] }] } },
      // Svelte's custom elements, which nothing here is, declare a class where they are imported.
      treeshake: {
        moduleSideEffects: [
          { test: /svelte\/src\/internal\/client\/dom\/elements\/custom-element\.js$/, sideEffects: false },
        ],
      },
    },
  },
});
