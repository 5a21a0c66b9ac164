import { SourceError, type SampleKind, type StillFrame, type StillPort } from '../../ports/frame-source.ts';
import { once } from '../../../base/schedule/once.ts';

type BuiltinIndex = Record<'frames' | 'things', readonly { readonly name: string; readonly file: string }[]>;

const listOf = { faces: 'frames', things: 'things' } as const satisfies Record<SampleKind, keyof BuiltinIndex>;

/** Pictures from URLs and the app itself. */
export function createStillPort(documentBase = document.baseURI): StillPort {
  const indexUrl = new URL('builtin/index.json', documentBase);
  const index = once(async () => (await (await fetchOk(indexUrl.href)).json()) as BuiltinIndex);
  return {
    async builtin(kind) {
      const frames = (await index())[listOf[kind]];
      return frames.map(({ name, file }) => stillOfUrl(new URL(file, indexUrl).href, `builtin/${name}`));
    },
    // Fetched when an address is first given.
    fromUrl: async (url) => (await import('./still-of-address.ts')).stillOfAddress(url, fetchOk),
  };
}

/** Fetched once, when the stage or the filmstrip first asks for it. */
function stillOfUrl(url: string, name: string): StillFrame {
  return { name, blob: once(async () => (await fetchOk(url)).blob()) };
}

async function fetchOk(url: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: 'omit' });
  } catch (cause) {
    throw new SourceError(
      'network',
      `${url} cannot be read from this page: the host is out of reach, or it does not allow other sites to read it (CORS).`,
      'Download the file and drop it here.',
      { cause },
    );
  }
  if (response.ok) return response;
  throw new SourceError('network', `${url} answered ${response.status}.`, 'Check the address.');
}
