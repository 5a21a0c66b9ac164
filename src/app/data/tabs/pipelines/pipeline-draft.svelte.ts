import { TabularDataSourceType } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { readMql, type Span } from '../query/mql-text.ts';
import { queryFailure, type QueryFailure } from '../query/query-failure.ts';
import { nextRuns } from './next-runs.ts';

const firstStages =
  '[\n  { "$group": { "_id": "$component_name", "readings": { "$sum": 1 } } },\n  { "$sort": { "readings": -1 } }\n]';

/** The form of a new pipeline, before it is created. */
export class PipelineDraft {
  readonly #context: Pick<DataContext, 'pipelines' | 'home' | 'announce'>;
  public name = $state('');
  /** five cron fields in UTC */
  public schedule = $state('0 * * * *');
  /** MQL text */
  public stages = $state(firstStages);
  public source = $state<'standard' | 'hot'>('standard');
  /** whether the pipeline also runs for time windows of the past */
  public backfill = $state(false);
  #creating = $state(false);
  #failure = $state.raw<{ readonly of: QueryFailure; readonly text: string } | null>(null);

  constructor(context: Pick<DataContext, 'pipelines' | 'home' | 'announce'>) {
    this.#context = context;
  }

  /** Why the pipeline could not be created; null if nothing failed. */
  get failure(): QueryFailure | null {
    return this.#failure?.of ?? null;
  }

  /** The failure, if the stages have not been edited since: its `span` is a range of their text. */
  get stagesFailure(): QueryFailure | null {
    return this.#failure?.text === this.stages ? this.#failure.of : null;
  }

  /** Whether the pipeline can be created: it has a name, and a valid schedule at `now`. */
  isReady(now: Date): boolean {
    return this.name.trim() !== '' && !('refused' in nextRuns(this.schedule, now, 1)) && !this.#creating;
  }

  /** Creates the pipeline. Resolves to its id, or to null if that failed. */
  async create(): Promise<string | null> {
    const { stages } = this;
    const name = this.name.trim();
    this.#failure = null;
    this.#creating = true;
    let spans: readonly Span[] = [];
    try {
      const read = readMql(stages);
      spans = read.spans;
      const { id } = await this.#context.pipelines.createDataPipeline({
        organizationId: this.#context.home.organizationId,
        name,
        mqlBinary: read.stages,
        schedule: this.schedule.trim(),
        enableBackfill: this.backfill,
        dataSourceType: this.source === 'hot' ? TabularDataSourceType.HOT_STORAGE : TabularDataSourceType.STANDARD,
      });
      this.#context.announce(`Pipeline ${name} created.`);
      return id;
    } catch (error) {
      const refused = queryFailure(error, stages, spans);
      this.#failure = refused && { of: refused, text: stages };
      return null;
    } finally {
      this.#creating = false;
    }
  }
}
