import type { Plugin } from 'vite';
import { contentSecurityPolicy } from '../src/server/http/content-security-policy.ts';

/** Puts the policy at the head of the built page. The dev server injects inline scripts, so it goes without. */
export function contentSecurityPolicyPlugin(): Plugin {
  return {
    name: 'content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy },
        injectTo: 'head-prepend',
      },
    ],
  };
}
