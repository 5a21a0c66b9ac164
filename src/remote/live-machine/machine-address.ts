/** The port that a machine listens on unless its configuration says otherwise. */
export const machinePort = 8080;

export interface AddressFault {
  readonly message: string;
  readonly cure: string;
}

export type AddressAnswer =
  /** without a slash at its end */
  { readonly url: string } | AddressFault;

/**
 * The address of a machine as a person types it: "robot.local", "10.0.0.7:8080", "http://localhost:8080", "https://…".
 * Without a scheme it is http, without a port of its own 8080.
 */
export function readMachineAddress(typed: string): AddressAnswer {
  const text = typed.trim();
  if (text === '') return { message: 'No address is given.', cure: 'Type one, as http://robot.local:8080.' };
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  // Chromium takes words with spaces as the name of a host.
  const url = /\s/.test(text) ? null : URL.parse(hasScheme ? text : `http://${text}`);
  if (!url || url.hostname === '' || !/^https?:$/.test(url.protocol)) {
    return {
      message: `“${text}” is not the address of a machine.`,
      cure: 'Type its host and port, as http://robot.local:8080; the scheme is http or https.',
    };
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return {
      message: 'The address holds more than a host and a port.',
      cure: 'Keys have fields of their own, where no log and no link shows them.',
    };
  }
  if (!hasScheme && url.port === '') url.port = String(machinePort);
  return { url: url.origin };
}

/**
 * Why a page may not call a machine, known before it tries: one that came over https reaches plain http on its own computer only.
 * Null where nothing stands in the way.
 */
export function whyPageCannotCall(url: string, pageUrl: string): AddressFault | null {
  const machine = new URL(url);
  if (new URL(pageUrl).protocol !== 'https:' || machine.protocol === 'https:' || isThisComputer(machine.hostname)) {
    return null;
  }
  return {
    message: `This page came over https, and browsers let such a page call plain http on its own computer only, not ${machine.host}.`,
    cure: 'Choose the machine from its account, which connects by WebRTC. Without an account, run “npx sightglass serve --host 0.0.0.0” on a computer of the machine’s network, and open the page from there over http.',
  };
}

/** Whether calls to an address go over a network. */
export function leavesThisComputer(url: string): boolean {
  return !isThisComputer(new URL(url).hostname);
}

function isThisComputer(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}

/** A machine that is reached by WebRTC. The same name at two account services means two machines. */
export interface PeerAddress {
  /** the machine's name at the service: "robot-main.abc123.viam.cloud" */
  readonly host: string;
  /** URL of the account service, which signals; without a slash at its end */
  readonly via: string;
}

/** "webrtc://robot-main.abc123.viam.cloud/?via=https%3A%2F%2Fapp.viam.com" */
export const peerUrl = ({ host, via }: PeerAddress): string => `webrtc://${host}/?${new URLSearchParams({ via })}`;

/** Null for the address of a machine that is called by HTTP. */
export function readPeerUrl(url: string): PeerAddress | null {
  const { protocol, host, searchParams } = new URL(url);
  return protocol === 'webrtc:' ? { host, via: searchParams.get('via') ?? '' } : null;
}
