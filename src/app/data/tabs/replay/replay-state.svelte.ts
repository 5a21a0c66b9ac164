import { Code, ConnectError } from '@connectrpc/connect';
import type { ReplayClient } from '../../../../../workers/replay/client.ts';
import { plainEventRule } from '../../../../evidence/events/event-rule.ts';
import type { LabelledSpan } from '../../../../evidence/replay/false-alarms.ts';
import { joined, type Replay, type ReplayOrder, type ReplayPicture } from '../../../../evidence/replay/replay.ts';
import type { ReplayReportFormat } from '../../../../evidence/replay/replay-report.ts';
import type { TimeSpan } from '../../../../evidence/replay/time-span.ts';
import { LatestWins } from '../../../../base/schedule/latest-wins.ts';
import type { ServiceFilterRule } from '../../../../machine/vision/face/filters.ts';
import { playableRule } from '../../../../machine/vision/face/filtered-cameras.ts';
import type { FilteredAsk } from '../../../../evidence/replay/filtered.ts';
import { filteredCameras } from '../../../../machine/config/face/cameras.ts';
import { parseDocument } from '../../../../machine/config/face/json.ts';
import type { BenchService } from '../../../captures/bench-services.ts';
import type { MemoryPort } from '../../../kit/memory/remembered.ts';
import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import { exactTimeText } from '../../../kit/words/figures.ts';
import type { DataContext } from '../../context/data-context.ts';
import { recallSpans, rememberSpans } from './kept-spans.ts';
import {
  readReplayQuery,
  usualChoice,
  writeReplayQuery,
  type ReplayAddress,
  type ReplayChoice,
} from './replay-query.ts';
import type { Recording, ReplaySource } from './replay-source.ts';

interface Ports {
  readonly context: Pick<DataContext, 'benchServices' | 'place' | 'announce'>;
  readonly source: ReplaySource;
  readonly openEngine: () => Promise<ReplayClient>;
  readonly memory: MemoryPort;
}

/** Captures that are being read. */
interface Reading {
  readonly abort: AbortController;
  readonly progress: number;
  readonly frameCount: number;
}

/** Captures that were read, and the span that they are of. */
interface Held {
  /** number of the reading in the engine, which other data services share */
  readonly reading: number;
  readonly choice: ReplayChoice;
  readonly recording: Recording;
  readonly span: TimeSpan;
}

/** Times are kept to the microsecond, and a span ends before its end. */
const lastFrameMs = 0.001;

const firstRule: ServiceFilterRule = { defaultMinimumConfidence: 0.5, labelConfidences: {} };

/** A replay: stored captures that are filtered again, under one configuration or two. */
export class ReplayState {
  readonly #ports: Ports;
  /** What vision services captured; null: not listed yet. */
  recordings = $state.raw<readonly Recording[] | null>(null);
  reading = $state.raw<Reading | null>(null);
  held = $state.raw<Held | null>(null);
  public failure = $state.raw<ErrorWords | null>(null);
  rule = $state.raw(firstRule);
  /** null: nothing is compared */
  public other = $state.raw<ServiceFilterRule | null>(null);
  public events = $state.raw<ReplayOrder['events']>(plainEventRule);
  /** null: what suits how often was captured */
  public gapMs = $state<number | null>(null);
  /** name of a filtered camera of the bench; '': none is asked */
  public filterName = $state('');
  spans = $state.raw<readonly LabelledSpan[]>([]);
  areSpansKept = $state(true);
  /** Kept results over time under the latest thresholds. null: nothing is held. */
  picture = $state.raw<ReplayPicture | null>(null);
  /** All that the held captures say; it can be of thresholds that were moved meanwhile. null: nothing is held. */
  replay = $state.raw<Replay | null>(null);
  /** Whether what is shown is not yet of the thresholds and rules as they are now. */
  isBehind = $state(false);
  #looks = 0;
  /** what the thresholds were last tried on; null: nothing yet */
  #ruled: ReplayChoice | null = null;
  /** aborted: another tab, or another data service, is shown */
  #shown: AbortSignal | null = null;
  readonly #looking = new LatestWins(
    (order: ReplayOrder) => this.#look(order),
    () => undefined,
  );

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The order to replay the held captures; null: none are held. */
  readonly order: ReplayOrder | null = $derived.by(() => {
    const { held, rule, other, events, gapMs, spans, filtered } = this;
    return held && { span: held.span, rule, other, events, gapMs, labelled: spans, filtered };
  });

  /** The service on the bench whose thresholds are tried; null: the bench has another configuration. */
  readonly tuned: BenchService | null = $derived.by(() =>
    this.held ? this.#ports.context.benchServices.tunedBy(this.held.choice.serviceName) : null,
  );

  /** The filtered cameras of the bench that ask the service of the held captures what to keep. */
  readonly filters = $derived.by(() =>
    filteredCameras(parseDocument(this.#ports.context.benchServices.configText)).flatMap(
      ({ name, rule, captureHz }) => {
        const playable = rule && playableRule(rule, [this.#serviceName]);
        return playable ? [{ name, rule: playable.rule, captureHz }] : [];
      },
    ),
  );

  /** The chosen one, as it is asked; null: none is chosen, or it is gone. */
  readonly filtered: FilteredAsk | null = $derived.by(() => {
    const filter = this.filters.find(({ name }) => name === this.filterName);
    if (!filter || !this.held) return null;
    const kind = this.held.choice.kind === 'detections' ? 'objects' : 'classifications';
    return { rule: filter.rule, captureHz: filter.captureHz || 1, service: this.#serviceName, kind };
  });

  /** The service whose results the captures are: that of the bench for which they were recorded. */
  get #serviceName(): string {
    return this.tuned?.name ?? this.held?.choice.serviceName ?? '';
  }

  /** The services of the bench, any of which can be compared with. */
  get benchServices(): readonly BenchService[] {
    return this.#ports.context.benchServices.all;
  }

  /** Lists what was captured, and reads what the address names. */
  async open(signal: AbortSignal): Promise<void> {
    this.#shown = signal;
    const { context, source } = this.#ports;
    try {
      this.recordings = await source.list(signal);
    } catch (error) {
      if (!signal.aborted) this.failure = listFailureWords(error);
      return;
    }
    const { choice, rule, other } = readReplayQuery(context.place.rest);
    if (!choice) return this.#writeAddress();
    if (this.reading || JSON.stringify(choice) === JSON.stringify(this.held?.choice)) return;
    await this.#read(choice, this.recordings, { rule, other });
  }

  /**
   * Reads captures, also those that were stored since they were listed. The ones before are let go; thresholds stay where the
   * service is the same. `listed`: what is stored, where it was just listed.
   */
  async read(choice: ReplayChoice, listed: readonly Recording[] | null = null): Promise<void> {
    const { rule, other } = this;
    const isSame = this.#ruled !== null && isOf(this.#ruled, choice);
    await this.#read(choice, listed, isSame ? { rule, other } : { rule: null, other: null });
  }

  /** Lists what is stored now, and reads all of the first service; what was read before is let go. */
  async readFirst(): Promise<void> {
    this.#letGo();
    this.recordings = await this.#ports.source.list(new AbortController().signal);
    const [first] = this.recordings;
    if (!first) return this.#ports.context.place.go('replay', '', { replace: true });
    await this.read(usualChoice(first), this.recordings);
  }

  #letGo(): void {
    this.cancel();
    this.held = this.picture = this.replay = this.failure = null;
  }

  /** Reads captures under the given thresholds; without, under those of the bench. `listed`: what is stored; null: to be listed. */
  async #read(
    choice: ReplayChoice,
    listed: readonly Recording[] | null,
    { rule, other }: Pick<ReplayAddress, 'rule' | 'other'>,
  ): Promise<void> {
    this.#letGo();
    const abort = new AbortController();
    this.reading = { abort, progress: 0, frameCount: 0 };
    try {
      const recordings = listed ?? (await this.#ports.source.list(abort.signal));
      if (abort.signal.aborted) return;
      this.recordings = recordings;
      const recording = recordings.find((one) => isOf(one, choice));
      if (!recording) {
        this.failure = { message: 'The captures of this address are not stored here.', cure: 'Choose others.' };
        return;
      }
      const span = {
        startMs: choice.startMs ?? recording.firstMs,
        endMs: choice.endMs ?? recording.lastMs + lastFrameMs,
      };
      const engine = await this.#ports.openEngine();
      if (abort.signal.aborted) return; // the engine may hold what was chosen since
      const reading = await engine.begin();
      for await (const { columns, progress } of this.#ports.source.read(choice, span, abort.signal)) {
        if (abort.signal.aborted) return;
        const frameCount = await engine.append(reading, columns);
        if (abort.signal.aborted) return;
        this.reading = { abort, progress, frameCount };
      }
      if (abort.signal.aborted) return;
      this.rule = rule ?? this.#ports.context.benchServices.tunedBy(choice.serviceName)?.rule ?? firstRule;
      this.other = other;
      this.#ruled = choice;
      this.held = { reading, choice, recording, span };
      this.spans = recallSpans(this.#ports.memory, this.#spansKey(choice));
      this.#writeAddress();
      this.#ports.context.announce('The captures are read.');
    } catch (error) {
      if (!abort.signal.aborted) this.failure = errorWords(error);
    } finally {
      if (this.reading?.abort === abort) this.reading = null;
    }
  }

  /** Stops reading. What was read of it is let go. */
  cancel(): void {
    this.reading?.abort.abort();
    this.reading = null;
  }

  /** Filters the held captures again; of thresholds that move faster than that, the latest win. */
  async look(): Promise<void> {
    const { order } = this;
    if (!order) return;
    const number = ++this.#looks;
    this.isBehind = true;
    await this.#looking.offer(order);
    if (number === this.#looks) this.isBehind = false;
  }

  /** Changes the thresholds of the first or the second configuration; null: nothing is compared any more. */
  setRule(rule: ServiceFilterRule): void {
    this.rule = rule;
  }

  setOther(rule: ServiceFilterRule | null): void {
    this.other = rule;
    this.settle();
  }

  /** A drag has ended: the address takes the thresholds. */
  settle(): void {
    this.#writeAddress();
  }

  /** Writes the thresholds to the bench, where undo takes them back. */
  writeToBench(): void {
    const { tuned } = this;
    if (!tuned) return;
    const { benchServices, announce } = this.#ports.context;
    if (benchServices.write(tuned.name, this.rule)) announce(`The bench has these thresholds for ${tuned.name}.`);
    else
      this.failure = {
        message: 'The thresholds were not written: the configuration on the bench cannot be read.',
        cure: 'Fix its JSON on the bench first.',
      };
  }

  label(spans: readonly LabelledSpan[]): void {
    if (!this.held) return;
    this.spans = spans.toSorted((a, b) => a.startMs - b.startMs);
    this.areSpansKept = rememberSpans(this.#ports.memory, this.#spansKey(this.held.choice), this.spans);
  }

  /** The file of a report. */
  async report(format: ReplayReportFormat): Promise<string> {
    const { held, order, tuned } = this;
    if (!held || !order) throw new Error('No captures are read.');
    const { reading, recording } = held;
    const facts: (readonly [string, string])[] = [
      ['Machine', recording.robotName || '–'],
      ['Part', recording.partName || recording.partId],
      ['Captured by', recording.serviceName],
      ['Thresholds for', tuned?.name ?? recording.serviceName],
      ['Captures', `${exactTimeText(recording.firstMs)} to ${exactTimeText(recording.lastMs)}`],
    ];
    const engine = await this.#ports.openEngine();
    return engine.report(reading, order, { title: `Replay of ${recording.serviceName}`, facts }, format);
  }

  async #look(order: ReplayOrder): Promise<void> {
    const { held: of } = this;
    if (!of) return;
    const number = this.#looks;
    try {
      const engine = await this.#ports.openEngine();
      const picture = await engine.picture(of.reading, order);
      if (this.held !== of) return;
      this.picture = picture;
      if (number !== this.#looks) return; // the thresholds went on: nobody waits for events under these
      const events = await engine.events(of.reading);
      if (this.held === of) this.replay = joined(picture, events);
    } catch (error) {
      if (this.held !== of) return;
      this.held = this.picture = this.replay = null;
      this.failure = errorWords(error);
    }
  }

  #writeAddress(): void {
    const { held, rule, other } = this;
    if (!held || this.#shown?.aborted) return; // the address is not of this replay
    this.#ports.context.place.go('replay', writeReplayQuery({ choice: held.choice, rule, other }), { replace: true });
  }

  #spansKey = ({ partId, serviceName }: ReplayChoice): string => `${partId} ${serviceName}`;
}

function listFailureWords(error: unknown): ErrorWords | null {
  if (ConnectError.from(error).code !== Code.Unimplemented) return errorWords(error);
  return {
    message: 'This data service cannot replay captures.',
    cure: 'Choose another one in Settings: this browser’s, or a server of Sightglass of this version.',
  };
}

export const isOf = (
  recording: Pick<Recording, 'partId' | 'serviceName'>,
  { partId, serviceName }: Pick<ReplayChoice, 'partId' | 'serviceName'>,
) => recording.partId === partId && recording.serviceName === serviceName;
