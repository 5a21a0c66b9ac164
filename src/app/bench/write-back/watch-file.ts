import { sameBytes } from '../../../remote/live-machine/same-bytes.ts';
import type { ConfigFile } from '../../../platform/ports/config-file.ts';
import { ChangedMeanwhile, type WatchedConfig } from '../../../platform/ports/watched-config.ts';
import { WriteError } from '../account/write-error.ts';

/** The file that a machine reads: its text corresponds to its bytes one to one. */
export function watchFile(file: ConfigFile): WatchedConfig {
  return {
    keeps: 'text',
    name: file.name,
    place: '',
    partId: null,
    async read() {
      const bytes = await file.read();
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch (cause) {
        throw new WriteError(
          `${file.name} is not UTF-8 text.`,
          'Open the configuration that viam-server was started with.',
          { cause },
        );
      }
    },
    async replace(before, after) {
      const [there, wanted] = [await file.read(), new TextEncoder().encode(after)];
      if (sameBytes(there, wanted)) return after;
      if (!sameBytes(there, new TextEncoder().encode(before))) {
        throw new ChangedMeanwhile(new TextDecoder().decode(there));
      }
      await file.write(wanted);
      return after;
    },
    inForm: (text) => text,
  };
}
