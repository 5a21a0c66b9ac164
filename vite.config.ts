import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { isolationHeaders, optimizeDeps } from './scripts/vite-settings.ts';

export default defineConfig({
  base: './', // works from any folder of any static host
  plugins: [svelte()],
  worker: { format: 'es' },
  optimizeDeps,
  server: { headers: isolationHeaders },
  preview: { headers: isolationHeaders },
  build: { target: 'es2023' },
});
