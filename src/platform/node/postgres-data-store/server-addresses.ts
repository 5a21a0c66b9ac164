/** The servers of a database, one of which is its primary. */
export interface ServerAddresses {
  /** the address of each by itself, as the driver takes it */
  readonly urls: readonly string[];
  /** servers and database, as messages to keepers name them: without user and password */
  readonly place: string;
}

const form = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/s;
/** The values of `target_session_attrs` in libpq with which whoever writes gets the primary; null: it is left out. */
const wantingPrimary = [null, 'read-write', 'primary'];
/** What hosts set of each connection; the driver would take it from the address instead. */
const setByHosts = [
  'application_name',
  'idle_in_transaction_session_timeout',
  'lock_timeout',
  'query_timeout',
  'statement_timeout',
];

/**
 * Reads an address in which several servers may stand, as libpq does: `postgres://user@a:5432,b:5433/database`, or
 * `?host=/run/a,/run/b&port=5432,5433`. What is wrong with it is said without its text, which may hold a password.
 */
export function serverAddresses(text: string): ServerAddresses | { readonly wrong: string } {
  const [, scheme = '', user = '', hosts = '', rest = ''] = form.exec(text) ?? [];
  const urls = hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`);
  if (scheme === '' || !urls.every((url) => URL.canParse(url))) {
    return { wrong: 'it is no such address' };
  }
  const parameters = new URL(urls[0]!).searchParams;
  if (!wantingPrimary.includes(parameters.get('target_session_attrs'))) {
    return { wrong: 'hosts write, so target_session_attrs is read-write or left out' };
  }
  const set = setByHosts.find((name) => parameters.has(name));
  if (set !== undefined) return { wrong: `hosts set ${set} themselves, so it is left out` };
  const [named, ports] = ['host', 'port'].map((name) => parameters.get(name)?.split(',') ?? []);
  if (ports!.length > 1 && ports!.length !== named!.length) {
    return { wrong: `its parameters name ${named!.length} hosts and ${ports!.length} ports` };
  }
  const all =
    named!.length > 1 ? named!.map((host, n) => withParameters(urls[0]!, host, ports![n] ?? ports![0])) : urls;
  const places = all.map(placeOf);
  return { urls: all, place: places.map(({ server }) => server).join() + places[0]!.database };
}

function withParameters(text: string, host: string, port: string | undefined): string {
  const url = new URL(text);
  url.searchParams.set('host', host);
  if (port !== undefined) url.searchParams.set('port', port);
  return url.href;
}

function placeOf(url: string) {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? (hostname || 'localhost');
  const at = searchParams.get('port') ?? port;
  return { server: `${host}${at && `:${at}`}`, database: pathname };
}
