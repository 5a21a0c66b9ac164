import { boxOrder } from './box-order.ts';
import { cameraDraws } from './camera-draws.ts';
import { cameraName } from './camera-name.ts';
import { cameraSource } from './camera-source.ts';
import { captureCostRule } from './capture-cost.ts';
import { captureDisk } from './capture-disk.ts';
import { captureMethod } from './capture-method.ts';
import { captureOff } from './capture-off.ts';
import { confidenceFloat32 } from './confidence-float32.ts';
import { confidenceRange } from './confidence-range.ts';
import { colorDefault } from './color-default.ts';
import { colorRefused } from './color-refused.ts';
import { colorScore } from './color-score.ts';
import { conditionalCamera } from './conditional-camera.ts';
import { configShape } from './config-shape.ts';
import { cropCornerPixel } from './crop-corner-pixel.ts';
import { cropEmpty } from './crop-empty.ts';
import { cropMixedUnits } from './crop-mixed-units.ts';
import { defaultIgnored } from './default-ignored.ts';
import { drawnService } from './drawn-service.ts';
import { duplicateKey } from './duplicate-key.ts';
import { filterCapture } from './filter-capture.ts';
import { filterDeprecated } from './filter-deprecated.ts';
import { filterRefused } from './filter-refused.ts';
import { filterService } from './filter-service.ts';
import { filterSilent } from './filter-silent.ts';
import { fractionalInteger } from './fractional-integer.ts';
import { intrinsicsSize } from './intrinsics-size.ts';
import { jsonSyntax } from './json-syntax.ts';
import { keyCase } from './key-case.ts';
import { labelDropped } from './label-dropped.ts';
import { labelLine } from './label-line.ts';
import { labelNumbers } from './label-numbers.ts';
import { labelSpace } from './label-space.ts';
import { labelTwice } from './label-twice.ts';
import { labelUnknown } from './label-unknown.ts';
import { meanStdImplicit } from './mean-std-implicit.ts';
import { meanStdLength } from './mean-std-length.ts';
import { meanStdScale } from './mean-std-scale.ts';
import { mlmodelName } from './mlmodel-name.ts';
import { modelModule } from './model-module.ts';
import { moduleMissing } from './module-missing.ts';
import { otherModel } from './other-model.ts';
import { pipelineEmpty } from './pipeline-empty.ts';
import { recorderDrift } from './recorder-drift.ts';
import { recorderThreshold } from './recorder-threshold.ts';
import { remapDirection } from './remap-direction.ts';
import { remapPartial } from './remap-partial.ts';
import { remapRole } from './remap-role.ts';
import { remapTensor } from './remap-tensor.ts';
import { resizeSize } from './resize-size.ts';
import { resourceName } from './resource-name.ts';
import { rotateAngleKey } from './rotate-angle-key.ts';
import { rotateAngleMissing } from './rotate-angle-missing.ts';
import { stdZero } from './std-zero.ts';
import { stepType } from './step-type.ts';
import { topFirst } from './top-first.ts';
import { unknownKey } from './unknown-key.ts';
import { validLabels } from './valid-labels.ts';
import { wrongType } from './wrong-type.ts';
import type { Rule } from './rule.ts';

/** Every rule, one a file. A new rule is its file, its test and a line here. */
export const rules: readonly Rule[] = [
  jsonSyntax,
  configShape,
  duplicateKey,
  resourceName,
  unknownKey,
  keyCase,
  wrongType,
  fractionalInteger,
  stepType,
  cropEmpty,
  cropCornerPixel,
  cropMixedUnits,
  resizeSize,
  rotateAngleKey,
  rotateAngleMissing,
  drawnService,
  validLabels,
  topFirst,
  pipelineEmpty,
  cameraSource,
  intrinsicsSize,
  filterRefused,
  filterDeprecated,
  filterService,
  filterSilent,
  conditionalCamera,
  mlmodelName,
  colorRefused,
  colorDefault,
  colorScore,
  cameraName,
  cameraDraws,
  boxOrder,
  meanStdScale,
  meanStdLength,
  stdZero,
  meanStdImplicit,
  defaultIgnored,
  labelNumbers,
  labelUnknown,
  labelDropped,
  labelTwice,
  labelSpace,
  labelLine,
  confidenceRange,
  confidenceFloat32,
  remapDirection,
  remapTensor,
  remapRole,
  remapPartial,
  otherModel,
  modelModule,
  moduleMissing,
  captureMethod,
  captureOff,
  filterCapture,
  captureDisk,
  recorderThreshold,
  recorderDrift,
  captureCostRule,
];
