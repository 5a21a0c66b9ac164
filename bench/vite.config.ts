import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { isolationHeaders } from '../scripts/vite-settings.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

// Builds the figures' pages like the app: minified, with workers as modules.
export default defineConfig({
  root: `${here}pages`,
  base: './',
  publicDir: `${here}../public`,
  plugins: [svelte()],
  resolve: {
    alias: {
      '@huggingface/transformers': `${here}peers/node_modules/@huggingface/transformers/dist/transformers.web.js`,
    },
  },
  worker: { format: 'es' },
  preview: { headers: isolationHeaders },
  build: {
    target: 'es2023',
    outDir: `${here}../build/bench`,
    emptyOutDir: true,
    rolldownOptions: { input: globSync(`${here}pages/*.html`) },
  },
});
