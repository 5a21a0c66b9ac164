import { insertAt } from '../../json/edit-json.ts';
import { isObject, type JsonObject } from '../../json/json-document.ts';
import { removeFix, rewriteFix, type LintContext, type Report, type Rule } from '../rule/rule.ts';

/** The modules of Viam's registry that bring the model services whose files are known here, and filtered and conditional cameras. */
const bringers: Readonly<Record<string, string>> = {
  'viam:mlmodel:onnx-cpu': 'viam:onnx-cpu',
  'viam:mlmodel-tflite:tflite_cpu': 'viam:tflite_cpu',
  'viam:camera:filtered-camera': 'viam:filtered-camera',
  'viam:camera:conditional-camera': 'viam:filtered-camera',
  'erh:camera:filtered-camera': 'erh:filtered-camera',
  'erh:camera:filtered_camera': 'erh:filtered_camera',
};

/** An ML model service, or a filtered or conditional camera, whose module is not among `modules`. A text without that list is taken for a part, which does not show them. */
export const moduleMissing: Rule = {
  code: 'module-missing',
  *check(context) {
    const modules = isObject(context.document.value) ? context.document.value['modules'] : undefined;
    if (!context.closed || !Array.isArray(modules)) return;
    const listed = modules.filter(isObject);
    // Only the machine knows what a local module brings.
    if (listed.some((module) => typeof module['module_id'] !== 'string' && module['disabled'] !== true)) return;
    for (const { kind, model, path } of context.entries) {
      const isKnown = kind === 'mlmodel' || kind === 'filtered-camera' || kind === 'conditional-camera';
      const moduleId = isKnown && Object.hasOwn(bringers, model) ? bringers[model]! : null;
      if (moduleId === null || listed.some((module) => brings(module, moduleId))) continue;
      const what = kind === 'mlmodel' ? 'service' : 'camera';
      yield { path: [...path, 'model'], severity: 'warning', ...reportOf(context, modules, what, model, moduleId) };
    }
  },
};

const brings = (module: JsonObject, moduleId: string): boolean =>
  module['module_id'] === moduleId && module['disabled'] !== true;

function reportOf(
  context: LintContext,
  modules: readonly unknown[],
  what: string,
  model: string,
  moduleId: string,
): Pick<Report, 'message' | 'fix'> {
  const disabled = modules.findIndex((module) => isObject(module) && module['module_id'] === moduleId);
  if (disabled >= 0) {
    return {
      message: `The module ${moduleId}, which brings ${model}, is disabled: the machine does not build this ${what}.`,
      fix: removeFix(context, `Enable ${moduleId}`, ['modules', disabled, 'disabled']),
    };
  }
  const module = { type: 'registry', name: moduleId.replace(':', '_'), module_id: moduleId, version: 'latest' };
  return {
    message: `No module of the configuration brings ${model}: the machine does not build this ${what} without ${moduleId}.`,
    fix: rewriteFix(context, `Add the module ${moduleId}`, (text) => insertAt(text, ['modules'], Infinity, module)),
  };
}
