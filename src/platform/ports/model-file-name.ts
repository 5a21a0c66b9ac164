/** Names of models that can be opened here. */
const opened = /\.(onnx|ort|tflite|lite)$/i;

/** Names that models have elsewhere, or their weights: nothing opens them, and the model's place says what does. */
const foreign =
  /\.(pt|pth|torchscript|pb|engine|trt|plan|mlmodel|mlpackage|hef|rknn|h5|hdf5|keras|safetensors|xml|bin|param|pdmodel|pdiparams|caffemodel|weights|gguf|data|pte|mnn|nb|om|dlc|axmodel|blob|cvimodel|bmodel)$|\.onnx_data$/i;

/** Whether a file opens here, by its name. */
export function opensByName(name: string): boolean {
  return opened.test(name);
}

/** Whether a dropped file belongs to the models, by its name. */
export function isModelName(name: string): boolean {
  return opensByName(name) || foreign.test(name);
}

/** Whether a file is a list of labels, by its name. */
export function isLabelListName(name: string): boolean {
  return /\.(txt|labels|names)$/i.test(name);
}

/** The model among files of such names, and what was given with it: its weights, perhaps. null where there are none. */
export function modelAmong(files: readonly File[]): { readonly file: File; readonly beside: readonly File[] } | null {
  const file = files.find(({ name }) => opensByName(name)) ?? files[0];
  return file ? { file, beside: files.filter((other) => other !== file) } : null;
}
