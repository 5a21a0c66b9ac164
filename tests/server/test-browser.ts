interface KeptCookie {
  readonly host: string;
  readonly value: string;
  readonly sameSite: string;
  readonly isSecure: boolean;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * What matters of a browser to a log-in: it keeps cookies by host, sends them as their SameSite says, follows redirects, and tells who
 * asks (Origin, Fetch Metadata).
 */
export class TestBrowser {
  readonly cookies = new Map<string, KeptCookie>();
  /** the `Set-Cookie` headers that came last */
  lastCookies: readonly string[] = [];
  /** the addresses that the last navigation went through */
  visited: string[] = [];

  /**
   * Opens a page as by a link on a page of `from`; null: as if its address was typed.
   * @param stopBefore an address to which no redirect is followed
   */
  async open(
    url: string,
    from: string | null = null,
    sent: Sent = {},
    stopBefore: string | null = null,
  ): Promise<Response> {
    this.visited = [];
    let next: { url: string; sent: Sent } = { url, sent };
    let isForeign = from !== null && siteOf(from) !== siteOf(url);
    for (;;) {
      this.visited.push(next.url);
      const site = from === null ? 'none' : isForeign ? 'cross-site' : siteRelation(from, next.url);
      const headers = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': site };
      const response = await this.#send(
        next.url,
        { ...next.sent, headers: { ...headers, ...next.sent.headers } },
        isForeign,
      );
      const location = response.headers.get('location');
      if (location === null) return response;
      const to = new URL(location, next.url).href;
      if (stopBefore !== null && to.startsWith(stopBefore)) {
        this.visited.push(to);
        return response;
      }
      if (siteOf(to) !== siteOf(next.url)) isForeign = true;
      next = { url: to, sent: {} };
    }
  }

  /** Sends a form of a page, as a person does who presses its button. */
  submit(page: string, fields: Readonly<Record<string, string>>, stopBefore: string): Promise<Response> {
    const { origin } = new URL(page);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin };
    return this.open(page, origin, { method: 'POST', headers, body: String(new URLSearchParams(fields)) }, stopBefore);
  }

  /** Fetches as a script of a page of `from` does, with its cookies. */
  fetch(url: string, from: string, { headers, ...sent }: Sent = {}): Promise<Response> {
    const isForeign = siteOf(from) !== siteOf(url);
    const own = new URL(from).origin === new URL(url).origin;
    const isRead = ['GET', 'HEAD'].includes(sent.method ?? 'GET');
    const told = {
      'sec-fetch-site': isForeign ? 'cross-site' : own ? 'same-origin' : 'same-site',
      'sec-fetch-mode': 'cors',
      'sec-fetch-dest': 'empty',
    };
    const origin = own && isRead ? {} : { origin: new URL(from).origin };
    return this.#send(url, { ...sent, headers: { ...told, ...origin, ...headers } }, isForeign);
  }

  /** The `Cookie` header that goes to `url`. @param isForeign whether another site has begun the request */
  cookieHeader(url: string, isForeign = false): string {
    const { hostname, protocol } = new URL(url);
    const isPrivate = protocol === 'https:' || hostname === 'localhost';
    return [...this.cookies]
      .filter(([, { host, isSecure }]) => host === hostname && (isPrivate || !isSecure))
      .filter(([, { sameSite }]) => !isForeign || sameSite !== 'strict')
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  async #send(url: string, { headers, ...sent }: Sent, isForeign: boolean): Promise<Response> {
    const cookie = this.cookieHeader(url, isForeign);
    const response = await fetch(url, {
      ...sent,
      headers: { ...(cookie && { cookie }), ...headers },
      redirect: 'manual',
    });
    this.lastCookies = response.headers.getSetCookie();
    for (const line of this.lastCookies) this.#keep(url, line);
    return response;
  }

  #keep(url: string, line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const lower = attributes.map((attribute) => attribute.toLowerCase());
    const sameSite = lower.find((each) => each.startsWith('samesite='))?.slice('samesite='.length) ?? 'lax';
    if (lower.includes('max-age=0') || lower.some((each) => each.startsWith('expires=thu, 01 jan 1970')))
      this.cookies.delete(name);
    else this.cookies.set(name, { host: new URL(url).hostname, value, sameSite, isSecure: lower.includes('secure') });
  }
}

/** The site of a URL; on loopback, each name is a site of its own. */
const siteOf = (url: string): string => `${new URL(url).protocol}//${new URL(url).hostname}`;

const siteRelation = (from: string, url: string): string =>
  new URL(from).origin === new URL(url).origin ? 'same-origin' : 'same-site';
