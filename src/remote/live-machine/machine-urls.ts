import {
  machinePort,
  peerUrl,
  readMachineAddress,
  readPeerUrl,
  whyPageCannotCall,
  type AddressFault,
} from './machine-address.ts';

/** The account service that machines with a name under viam.cloud belong to. */
export const publicAccount = 'https://app.viam.com';

/**
 * The addresses to try for what a person typed, the best first. For a name under viam.cloud: its address in the local network, for which
 * the machine has a certificate, then WebRTC. "webrtc://HOST/?via=URL" is a machine of another account service.
 */
export function machineUrls(typed: string, pageUrl: string): { readonly urls: readonly string[] } | AddressFault {
  const text = typed.trim();
  const [, name] = /^(?:https:\/\/)?((?:[a-z0-9-]+\.)+viam\.cloud)\/?$/i.exec(text) ?? [];
  let urls: readonly string[];
  if (name && !name.endsWith('.local.viam.cloud')) {
    const local = name.replace(/viam\.cloud$/i, 'local.viam.cloud');
    urls = [`https://${local}:${machinePort}`, peerUrl({ host: name, via: publicAccount })];
  } else if (/^webrtc:/i.test(text)) {
    const peer = URL.canParse(text) ? readPeerUrl(text) : null;
    if (!peer?.host || !/^https?:\/\//.test(peer.via)) {
      return {
        message: `“${text}” is not the address of a machine.`,
        cure: 'Write webrtc://HOST/?via=URL, with the address of the account service.',
      };
    }
    urls = [peerUrl(peer)];
  } else {
    const address = readMachineAddress(text);
    if ('message' in address) return address;
    urls = [address.url];
  }
  const barred = urls.map((url) => whyPageCannotCall(readPeerUrl(url)?.via ?? url, pageUrl));
  const fault = barred.at(-1);
  return fault ? fault : { urls: urls.filter((_, at) => !barred[at]) };
}
