import { SourceError, type StillFrame, type StillPort } from '../../ports/frame-source.ts';
import { isModelName } from '../../ports/model-file-name.ts';
import { droppedFiles } from './dropped-files.ts';
import { once } from './once.ts';
import type { NamedFile } from '../../ports/named-file.ts';

const imageName = /\.(png|jpe?g|jfif|webp|gif|bmp|avif|ico|svg|tiff?)$/i;
const videoName = /\.(mp4|m4v|mov|webm|mkv|ogv|avi|3gp)$/i;

interface BuiltinIndex {
  readonly frames: readonly { readonly name: string; readonly file: string }[];
}

/** Pictures from files, drops, pastes, URLs and the app itself. */
export function createStillPort(documentBase = document.baseURI): StillPort {
  return {
    async builtin() {
      const indexUrl = new URL('builtin/index.json', documentBase);
      const { frames } = (await (await fetchOk(indexUrl.href)).json()) as BuiltinIndex;
      return frames.map(({ name, file }) => stillOfUrl(new URL(file, indexUrl).href, `builtin/${name}`));
    },
    fromTransfer: async (items) => sorted(await droppedFiles(items)),
    fromFiles: (files) => sorted(files.map((file) => ({ file, path: file.webkitRelativePath || file.name }))),
    async fromUrl(url) {
      const address = parsed(url);
      const name = decodeURIComponent(address.pathname.split('/').at(-1) || address.hostname);
      const blob = await (await fetchOk(address.href)).blob();
      return { name, blob: () => Promise.resolve(blob) };
    },
  };
}

/** By kind, in the order in which a person reads names: frame 2 before frame 10. */
function sorted(files: readonly NamedFile[]): Awaited<ReturnType<StillPort['fromTransfer']>> {
  const inOrder = files.toSorted((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
  const kindOf = ({ file, path }: NamedFile) => {
    if (isModelName(path)) return 'model';
    if (file.type.startsWith('image/') || imageName.test(path)) return 'image';
    if (file.type.startsWith('video/') || videoName.test(path)) return 'video';
    return 'other';
  };
  const filesOf = (kind: string) => inOrder.filter((named) => kindOf(named) === kind).map(({ file }) => file);
  return {
    stills: inOrder
      .filter((named) => kindOf(named) === 'image')
      .map(({ file, path }) => ({ name: path, blob: () => Promise.resolve(file) })),
    videos: filesOf('video'),
    models: filesOf('model'),
    others: filesOf('other'),
  };
}

/** Fetched once, when the stage or the filmstrip first asks for it. */
function stillOfUrl(url: string, name: string): StillFrame {
  return { name, blob: once(async () => (await fetchOk(url)).blob()) };
}

function parsed(url: string): URL {
  try {
    return new URL(url);
  } catch (cause) {
    throw new SourceError('network', `"${url}" is no web address.`, 'Give the whole address, from https:// on.', {
      cause,
    });
  }
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
