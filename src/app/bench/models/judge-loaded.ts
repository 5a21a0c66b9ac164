import { untrack } from 'svelte';
import { modelServiceOf } from '../../../config/label-file.ts';
import type { ModelJudge } from '../../../config/lint/finding.ts';
import { judgeModule } from '../../../fit/modules/judge-module.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ModelsState } from './models-state.svelte.ts';

interface JudgedBench {
  readonly config: Pick<ConfigState, 'parsed' | 'visionNames'>;
  readonly models: Pick<ModelsState, 'of'>;
}

/**
 * What the machine's module makes of a model service, with the model that stands for it on the bench. It may say something
 * else once another model is loaded; the configuration's own changes are for the lint to follow, which rests during a drag.
 */
export function judgeLoaded(bench: JudgedBench): ModelJudge {
  return ({ name, model, attributes }) => {
    const runs = untrack(() => {
      const { parsed, visionNames } = bench.config;
      return visionNames.filter((vision) => modelServiceOf(parsed.entries, vision)?.name === name);
    });
    const file = runs.map((vision) => bench.models.of(vision)).find((loaded) => loaded !== null);
    const judged = file?.format ? { format: file.format.name, findings: file.moduleFindings } : null;
    return judgeModule(model, attributes, judged);
  };
}
