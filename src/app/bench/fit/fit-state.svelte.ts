import type { FitClient, FitSource, ModelRecognition, OptionValues } from '../../../../workers/fit/client.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { FitChoice, FitDependencies, FitSession } from './fit-session.svelte.ts';

/** Which models on the bench could be made machine-ready, and the one that is being fitted. */
export class FitState {
  readonly #place: FitDependencies;
  readonly #openFitter: () => Promise<FitClient>;
  #recognitions = $state.raw<Readonly<Record<string, ModelRecognition>>>({});
  /** by model id: recognitions that ended or are under way */
  readonly #asked: Record<string, Promise<void>> = {};
  /** ids of the models whose recognition is under way */
  #underWay = $state.raw<readonly string[]>([]);
  /** The model that is being fitted, while its dialog is open. */
  session = $state.raw<FitSession | null>(null);

  constructor(place: FitDependencies, openFitter: () => Promise<FitClient>) {
    this.#place = place;
    this.#openFitter = openFitter;
  }

  /** The recognised family of a model; null: unknown, or not suitable for fitting. */
  recognitionOf(model: ModelDescription): ModelRecognition | null {
    return this.#recognitions[model.modelId] ?? null;
  }

  isRecognising(model: ModelDescription): boolean {
    return this.#underWay.includes(model.modelId);
  }

  /** Recognises a model's family, once. Resolves when that has ended, well or not. */
  recognise(model: ModelDescription): Promise<void> {
    const { modelId, fileName } = model;
    const source = this.#place.models.sourceOf(modelId);
    if (!source || !this.canOpen(model)) return Promise.resolve();
    return (this.#asked[modelId] ??= this.#recognise({ modelId, fileName, source }));
  }

  async #recognise(file: FitSource): Promise<void> {
    this.#underWay = [...this.#underWay, file.modelId];
    try {
      const client = await this.#openFitter();
      const recognition = await client.recognise(file);
      this.#recognitions = { ...this.#recognitions, [file.modelId]: recognition };
    } catch {
      // Loading has already reported why the file cannot be read; it may be readable when asked again.
      delete this.#asked[file.modelId];
    }
    this.#underWay = this.#underWay.filter((id) => id !== file.modelId);
    if (!this.session && this.#underWay.length === 0)
      await this.#openFitter().then(
        (client) => client.end(),
        () => undefined,
      );
  }

  /** Whether a model can be made machine-ready: the app's own models fit already. */
  canOpen(model: ModelDescription): boolean {
    const source = this.#place.models.sourceOf(model.modelId);
    return source !== null && source.kind !== 'builtin' && model.format !== null;
  }

  /** Opens the dialog for a model of the bench, with preset options if its family has them. */
  async open(model: ModelDescription, preset: OptionValues = {}): Promise<void> {
    this.session = await this.#begin(model, { options: preset });
  }

  /**
   * Writes a model anew, by default with a border around frames, and puts it in its place, with its configuration, in one undo step. Where that
   * fails, the dialog says why.
   * @returns whether it was done
   */
  async rewrite(model: ModelDescription, choice: FitChoice = { options: { letterbox: 'pad' } }): Promise<boolean> {
    const session = await this.#begin(model, choice);
    if (!session) return false;
    if (await session.use()) {
      session.close();
      return true;
    }
    this.session = session;
    return false;
  }

  async #begin(model: ModelDescription, choice: FitChoice): Promise<FitSession | null> {
    const source = this.#place.models.sourceOf(model.modelId);
    if (!source) return null;
    await this.recognise(model); // what it is recognised as decides how it begins
    const [client, session] = await Promise.all([this.#openFitter(), import('./fit-session.svelte.ts')]);
    const { modelId, fileName } = model;
    const file = { modelId, fileName, source };
    return new session.FitSession(this.#place, client, file, this.recognitionOf(model), choice);
  }

  close(): void {
    this.session?.close();
    this.session = null;
  }
}
