import type { TestBrowser } from './test-browser.ts';

/**
 * Begins a log-in at a server and goes through the provider's own pages as a person does.
 * @param account as whom; null: the person declines
 * @param publicOrigin to which the provider sends the browser back
 * @returns the address of the server to which the provider sends the browser back
 */
export async function goThroughProvider(
  browser: TestBrowser,
  origin: string,
  account: string | null,
  publicOrigin = origin,
): Promise<string> {
  const callback = `${publicOrigin}/login/callback`;
  let page = await browser.open(`${origin}/login`, origin, {}, callback);
  for (;;) {
    const at = browser.visited.at(-1)!;
    if (at.startsWith(callback)) return at;
    const html = await page.text();
    if (account === null) {
      page = await browser.open(new URL(/href="([^"]*abort)"/.exec(html)![1]!, at).href, at, {}, callback);
      continue;
    }
    const isLogIn = html.includes('name="login"');
    const form = new URL(/<form[^>]*action="([^"]+)"/.exec(html)![1]!, at).href;
    const fields = isLogIn ? { prompt: 'login', login: account, password: 'any' } : { prompt: 'consent' };
    page = await browser.submit(form, fields, callback);
  }
}

/** Logs in by the provider. @returns what the server answers in the end */
export async function logInByProvider(browser: TestBrowser, origin: string, account: string | null): Promise<Response> {
  const callback = await goThroughProvider(browser, origin, account);
  return browser.open(callback, 'http://127.0.0.1');
}
