import { untrack } from 'svelte';
import { modelServiceOf } from '../../../machine/config/face/machine-config.ts';
import { lint, type ModelJudge } from '../../../machine/config/face/lint.ts';
import { judgeModule } from '../../../models/fit/modules/judge-module.ts';
import type { Lint } from '../config/config-findings.svelte.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { ModelsState } from './models-state.svelte.ts';

interface LintedBench {
  readonly config: Pick<ConfigState, 'parsed' | 'visionNames'>;
  readonly models: Pick<ModelsState, 'of'>;
}

/**
 * The linter with what the machine's module reports about each model service, with the model loaded for it. The
 * findings change when another model is loaded.
 */
export function lintWithModels(bench: LintedBench): Lint {
  return (text, facts) => lint(text, facts, judgeLoaded(bench));
}

/** Reads the configuration untracked: who calls the linter calls it again when the configuration changes. */
function judgeLoaded(bench: LintedBench): ModelJudge {
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
