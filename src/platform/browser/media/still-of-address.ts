import { SourceError, type StillFrame } from '../../ports/frame-source.ts';

/** The picture at an address that a person gave. @throws SourceError where it is no address, or what `fetchOk` throws */
export async function stillOfAddress(url: string, fetchOk: (url: string) => Promise<Response>): Promise<StillFrame> {
  const address = parsed(url);
  const name = decodeURIComponent(address.pathname.split('/').at(-1) || address.hostname);
  const blob = await (await fetchOk(address.href)).blob();
  return { name, blob: () => Promise.resolve(blob) };
}

function parsed(url: string): URL {
  try {
    return new URL(url);
  } catch (cause) {
    throw new SourceError('network', `"${url}" is not a web address.`, 'Give the whole address, from https:// on.', {
      cause,
    });
  }
}
