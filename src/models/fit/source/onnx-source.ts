import {
  decodeModel,
  embedExternalData,
  encodeModel,
  type OnnxSummary,
  readModel,
  setMetadata,
} from '../../onnx/face/model-files.ts';
import { FitError } from '../structure/fit-error.ts';
import type { FitSource } from './fit-source.ts';
import { fileFindings } from '../modules/file-findings.ts';
import { reasonsAgainst } from '../modules/module-finding.ts';
import { modelStructure } from '../structure/model-structure.ts';
import type { Preprocessing } from '../structure/family.ts';
import type { OptionSpec } from '../structure/options.ts';
import type { FitRequest } from './fit-request.ts';
import { rewriteGraph } from './rewrite-graph.ts';

/** @throws ModelError not-onnx, unsupported-dtype, external-data-missing */
export function openOnnxSource(bytes: Uint8Array, { labels, inputSize, files }: FitRequest): FitSource {
  const summary = readModel(bytes);
  const model = decodeModel(bytes);
  const embedded = embedExternalData(model.graph, files ?? {});
  const structure = modelStructure(model, summary, { labels: labels ?? null, inputSize: inputSize ?? null });
  return {
    format: 'onnx',
    structure,
    refuseWhatFits: () => refuseWhatFits(summary),
    letterboxOptions: (preprocessing) => letterboxOptions(preprocessing, structure.opset),
    rewrite(rewrite) {
      const rewritten = rewriteGraph(model, rewrite);
      const beside = embedded > 0 ? [`${embedded} weights that lay in files beside it`] : [];
      return { ...rewritten, added: [...beside, ...rewritten.added] };
    },
    encode(metadata) {
      setMetadata(model, metadata);
      return encoded(model);
    },
  };
}

/** The names are those that the vision service looks for, and the module that runs the file finds nothing against it. */
function refuseWhatFits({ inputs, outputs, loadFacts }: OnnxSummary): void {
  const isDetector = ['location', 'category', 'score'].every((name) => outputs.some((output) => output.name === name));
  const isClassifier = outputs.length === 1 && outputs[0]!.name === 'probability';
  if (inputs[0]?.name !== 'image' || (!isDetector && !isClassifier)) return;
  if (reasonsAgainst(fileFindings({ format: 'onnx', facts: loadFacts, filesBeside: null })).length > 0) return;
  const names = outputs.map(({ name }) => name).join(', ');
  throw new FitError('already-fits', `The machine takes this model as it is: input image, outputs ${names}.`);
}

/**
 * Padding is usual for models that were trained with it: stretched, YOLOX-nano lost 0.02 of 0.275 mAP on 40 photographs of 4:3, and
 * wider frames are distorted more. It takes frames of any size, as bytes, and 4 ms for one of 1280×720.
 */
function letterboxOptions({ letterbox }: Preprocessing, opset: number): readonly OptionSpec[] {
  // Pad takes its sizes from a tensor, and Resize a size, from opset 11 on.
  if (letterbox === null || opset < 11) return [];
  return [
    {
      kind: 'choice',
      key: 'letterbox',
      about:
        'pad: the machine hands the frame over whole, and the graph fits it in with its proportions kept, as in training; stretch: the machine stretches it to the input.',
      choices: ['pad', 'stretch'],
      usual: 'pad',
    },
  ];
}

function encoded(model: Parameters<typeof encodeModel>[0]): Uint8Array<ArrayBuffer> {
  try {
    return encodeModel(model);
  } catch (cause) {
    if (cause instanceof RangeError) throw new FitError('too-large', cause.message, { cause });
    throw cause;
  }
}
