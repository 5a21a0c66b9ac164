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
 * The linter's source for what the machine's module reports about a model service, with the model loaded for it.
 * The result changes when another model is loaded; changes of the configuration are followed by the linter.
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
