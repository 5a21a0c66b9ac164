import type { ConfigFile, ConfigFilePort } from '../../ports/config-file.ts';

/** Chromium's; elsewhere a download is the way to save. */
interface OpenPicker {
  showOpenFilePicker(options: {
    id: string;
    types: readonly { description: string; accept: Record<string, string[]> }[];
  }): Promise<readonly FileSystemFileHandle[]>;
}

export const configFilePort: ConfigFilePort = {
  canWrite: 'showOpenFilePicker' in globalThis,
  async pick() {
    try {
      const [handle] = await (globalThis as unknown as OpenPicker).showOpenFilePicker({
        id: 'machine-configuration',
        types: [{ description: 'Machine configuration', accept: { 'application/json': ['.json'] } }],
      });
      return handle ? configFileOf(handle) : null;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return null;
      throw error;
    }
  },
};

function configFileOf(handle: FileSystemFileHandle): ConfigFile {
  return {
    name: handle.name,
    read: async () => new Uint8Array(await (await handle.getFile()).arrayBuffer()),
    async write(bytes) {
      // Written beside it, and put in its place when it is closed.
      const writable = await handle.createWritable();
      try {
        await writable.write(bytes);
      } catch (error) {
        await writable.abort();
        throw error;
      }
      await writable.close();
    },
  };
}
