import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Response } from '../http/exchange.ts';

const style = `:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto 0;padding:0 1.5rem;\
background:#fff;color:#1b1d22}\
h1{font-size:1.25rem}a{display:inline-block;margin-right:1.5rem;padding:.5rem 0;color:#0b57d0}\
@media(prefers-color-scheme:dark){body{background:#16181d;color:#e6e8ee}a{color:#8ab4f8}}`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** Headers of all answers of a log-in. No cache keeps them, no page frames them, and no Referer tells their address, which has a code. */
export const loginHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': `default-src 'none'; img-src data:; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

/** What went wrong with a log-in, in words. */
export interface LoginFailure {
  readonly status: number;
  /** in a few words */
  readonly title: string;
  /** what happened, and what to do */
  readonly text: string;
  /** whether beginning again may help */
  readonly mayRetry: boolean;
}

/** Answers with a page that says why a log-in failed, and leads back to the app. */
export function sendLoginPage(response: Response, { status, title, text, mayRetry }: LoginFailure): void {
  const retry = mayRetry ? '<a href="/login">Log in again</a>' : '';
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escaped(title)} – Sightglass</title>
<style>${style}</style>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
<p>${retry}<a href="/#/data">Back to Sightglass</a></p>
</main>
</html>
`;
  (response as ServerResponse).writeHead(status, { ...loginHeaders, 'content-type': 'text/html; charset=utf-8' });
  (response as ServerResponse).end(page);
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!);
