import { boxOrder } from './models/box-order.ts';
import { cameraDraws } from './cameras/camera-draws.ts';
import { cameraName } from './cameras/camera-name.ts';
import { cameraSource } from './cameras/camera-source.ts';
import { captureCostRule } from './capture/capture-cost.ts';
import { captureDisk } from './capture/capture-disk.ts';
import { captureMethod } from './capture/capture-method.ts';
import { captureOff } from './capture/capture-off.ts';
import { confidenceFloat32 } from './thresholds/confidence-float32.ts';
import { confidenceRange } from './thresholds/confidence-range.ts';
import { colorDefault } from './colors/color-default.ts';
import { colorRefused } from './colors/color-refused.ts';
import { colorScore } from './colors/color-score.ts';
import { conditionalCamera } from './cameras/conditional-camera.ts';
import { configShape } from './entries/config-shape.ts';
import { cropCornerPixel } from './cameras/crop-corner-pixel.ts';
import { cropEmpty } from './cameras/crop-empty.ts';
import { cropMixedUnits } from './cameras/crop-mixed-units.ts';
import { defaultIgnored } from './thresholds/default-ignored.ts';
import { drawnService } from './cameras/drawn-service.ts';
import { duplicateKey } from './entries/duplicate-key.ts';
import { filterCapture } from './capture/filter-capture.ts';
import { filterDeprecated } from './capture/filter-deprecated.ts';
import { filterRefused } from './capture/filter-refused.ts';
import { filterService } from './capture/filter-service.ts';
import { filterSilent } from './capture/filter-silent.ts';
import { fractionalInteger } from './entries/fractional-integer.ts';
import { intrinsicsSize } from './cameras/intrinsics-size.ts';
import { jsonSyntax } from './entries/json-syntax.ts';
import { keyCase } from './entries/key-case.ts';
import { labelDropped } from './labels/label-dropped.ts';
import { labelLine } from './labels/label-line.ts';
import { labelNumbers } from './labels/label-numbers.ts';
import { labelSpace } from './labels/label-space.ts';
import { labelTwice } from './labels/label-twice.ts';
import { labelUnknown } from './labels/label-unknown.ts';
import { meanStdImplicit } from './models/mean-std-implicit.ts';
import { meanStdLength } from './models/mean-std-length.ts';
import { meanStdScale } from './models/mean-std-scale.ts';
import { mlmodelName } from './models/mlmodel-name.ts';
import { modelModule } from './models/model-module.ts';
import { moduleMissing } from './models/module-missing.ts';
import { otherModel } from './models/other-model.ts';
import { pipelineEmpty } from './cameras/pipeline-empty.ts';
import { recorderDrift } from './capture/recorder-drift.ts';
import { recorderThreshold } from './capture/recorder-threshold.ts';
import { remapDirection } from './models/remap-direction.ts';
import { remapPartial } from './models/remap-partial.ts';
import { remapRole } from './models/remap-role.ts';
import { remapTensor } from './models/remap-tensor.ts';
import { resizeSize } from './cameras/resize-size.ts';
import { resourceName } from './entries/resource-name.ts';
import { rotateAngleKey } from './cameras/rotate-angle-key.ts';
import { rotateAngleMissing } from './cameras/rotate-angle-missing.ts';
import { stdZero } from './models/std-zero.ts';
import { stepType } from './cameras/step-type.ts';
import { topFirst } from './labels/top-first.ts';
import { unknownKey } from './entries/unknown-key.ts';
import { validLabels } from './labels/valid-labels.ts';
import { wrongType } from './entries/wrong-type.ts';
import type { Rule } from './rule/rule.ts';

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
