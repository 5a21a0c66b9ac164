import { type DisabledStep, isEvidence, type ThresholdEvidence } from '../../../machine/config/face/edits.ts';
import { ThrottledWrite } from '../../../base/schedule/throttled-write.ts';
import { isPackedHistory, type PackedHistory } from './packed-history.ts';

/** The configuration that the next visit starts with. */
export interface SavedConfig {
  readonly text: string;
  readonly importedText: string;
  readonly disabled: readonly DisabledStep[];
  readonly vision: string | null;
  /** undefined: the service's own camera; null: the bare source */
  readonly camera?: string | null | undefined;
  readonly runs?: string | null;
  readonly unreadFile?: string | null;
  readonly evidence?: readonly ThresholdEvidence[] | undefined;
  readonly history?: PackedHistory;
}

interface Save {
  readonly config: () => SavedConfig;
  readonly onRefused: () => void;
}

const STORAGE_KEY = 'sightglass.config';

/** Stores the configuration in this browser. Writes wait for a pause, so that a slider drag is written once. */
export class ConfigStore {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'> | null;
  readonly #later = new ThrottledWrite<Save>(({ config, onRefused }) => this.#write(config(), onRefused));
  #isKept = true;

  /** null: nothing is stored, as in a private window that refuses storage. */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem'> | null) {
    this.#storage = storage;
  }

  load(): SavedConfig | null {
    try {
      const saved: unknown = JSON.parse(this.#storage?.getItem(STORAGE_KEY) ?? 'null');
      if (!isSaved(saved)) return null;
      const { history, evidence, ...config } = saved;
      return { ...config, ...(isEvidence(evidence) && { evidence }), ...(isPackedHistory(history) && { history }) };
    } catch {
      return null; // Damaged, or storage refused: start anew.
    }
  }

  /**
   * @param config called when it is written, so that it is not serialized at each step of a drag
   * @param onRefused called when the browser no longer stores the configuration; once, until it does again
   */
  save(config: () => SavedConfig, onRefused: () => void = () => {}): void {
    this.#later.save({ config, onRefused });
  }

  /** Writes a waiting configuration at once, before the page is closed. */
  flush(): void {
    this.#later.flush();
  }

  #isWritten(config: SavedConfig): boolean {
    try {
      this.#storage?.setItem(STORAGE_KEY, JSON.stringify(config));
      return true;
    } catch {
      return false;
    }
  }

  #write(config: SavedConfig, onRefused: () => void): void {
    const wasKept = this.#isKept;
    const { history: _, ...bare } = config;
    try {
      // If there is too little space, the undo steps are left out first.
      if (!this.#isWritten(config)) this.#storage?.setItem(STORAGE_KEY, JSON.stringify(bare));
      this.#isKept = true;
    } catch {
      // The storage is full or refuses: the session continues, and the next visit starts from an older state.
      this.#isKept = false;
      if (wasKept) onRefused();
    }
  }
}

function isSaved(value: unknown): value is SavedConfig {
  if (typeof value !== 'object' || value === null) return false;
  const { text, importedText, disabled, runs, unreadFile } = value as Partial<Record<keyof SavedConfig, unknown>>;
  const isTextOrNone = (part: unknown): boolean => (part ?? null) === null || typeof part === 'string';
  return (
    typeof text === 'string' &&
    typeof importedText === 'string' &&
    Array.isArray(disabled) &&
    isTextOrNone(runs) &&
    isTextOrNone(unreadFile)
  );
}
