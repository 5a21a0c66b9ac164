/** A kind of file that people drop where a model is expected, and the way from it to a model that runs here. */
interface FileKind {
  /** in words that follow "looks like"; `{file}` is its name, `{stem}` that without its ending */
  readonly is: string;
  /** texts with which its bytes begin */
  readonly magic?: readonly { readonly at: number; readonly text: string }[];
  /** all of these occur in its first bytes */
  readonly holds?: readonly string[];
  /** and none of these */
  readonly lacks?: readonly string[];
  /** the ending of its name, for kinds whose first bytes are those of another kind as well */
  readonly ending?: RegExp;
}

const toOnnx = 'python -m tf2onnx.convert';
const fromKeras = `python -c "import keras; keras.models.load_model('{file}').export('{stem}.onnx', format='onnx')"`;
const fromUltralytics = '"yolo export model={file} format=onnx", or format=tflite';
const fromTorchScript = `python -c "import torch; torch.onnx.export(torch.jit.load('{file}').eval(), torch.zeros(1, 3, 640, 640), '{stem}.onnx')"`;
const fromTorch = `python -c "import torch; torch.onnx.export(torch.load('{file}', weights_only=False).eval(), torch.zeros(1, 3, 640, 640), '{stem}.onnx')", in the project that it was trained in`;
const fromPaddle =
  'paddle2onnx --model_dir . --model_filename {stem}.pdmodel --params_filename {stem}.pdiparams --save_file {stem}.onnx';
const fromPaddleJson =
  'paddle2onnx --model_dir . --model_filename {file} --params_filename {stem}.pdiparams --save_file {stem}.onnx';
const noWayBack = 'nothing converts it back; give the .onnx that it was made from';
const fromSavedModel = `${toOnnx} --saved-model FOLDER --output {stem}.onnx, or to TensorFlow Lite with tf.lite.TFLiteConverter.from_saved_model(FOLDER)`;

const safetensors =
  'a safetensors file, which has weights but no graph: export the network to ONNX with the library that made it (Hugging Face: optimum-cli export onnx --model FOLDER OUTPUT)';

/** By what a file's bytes are, the narrower kind first. */
const kinds: readonly FileKind[] = [
  {
    magic: [{ at: 0, text: 'version https://git-lfs' }],
    is: 'a Git LFS pointer: fetch the file itself with "git lfs pull"',
  },
  {
    magic: [{ at: 4, text: 'TFL3' }],
    is: `a TensorFlow Lite model: convert it with ${toOnnx} --tflite {file} --output {stem}.onnx`,
  },
  { magic: [{ at: 4, text: 'ORTM' }], is: "ONNX Runtime's own .ort format: use the .onnx that it was made from" },
  { magic: [{ at: 0, text: '\x89HDF' }], is: `an HDF5 file (Keras): convert it with ${fromKeras}` },
  { magic: [{ at: 0, text: 'GGUF' }], is: 'a GGUF language model, which sees no pictures here' },
  {
    magic: [
      { at: 0, text: 'ftrt' },
      { at: 0, text: 'ptrt' },
    ],
    is: `a TensorRT engine, which runs only on the kind of GPU that it was built for: ${noWayBack}`,
  },
  {
    // Ultralytics writes the length of a JSON description and that description before the engine.
    magic: [{ at: 4, text: '{"' }],
    ending: /\.(engine|trt|plan)$/i,
    is: 'a TensorRT engine, which runs only on the kind of GPU that it was built for: export the .pt again with yolo export model={stem}.pt format=onnx',
  },
  { magic: [{ at: 0, text: '\x01HEF' }], is: `a program for Hailo accelerators, which runs only there: ${noWayBack}` },
  { magic: [{ at: 0, text: 'RKNN' }], is: `a program for Rockchip accelerators, which runs only there: ${noWayBack}` },
  { magic: [{ at: 0, text: '7767517\n' }], is: `an ncnn network: ${noWayBack}` },
  { magic: [{ at: 0, text: '\x1f\x8b' }], is: 'a gzip archive: unpack it first' },
  {
    magic: [{ at: 0, text: 'PK\x03\x04' }],
    holds: ['data.pkl', 'ultralytics'],
    is: `a PyTorch checkpoint of Ultralytics: convert it with ${fromUltralytics}`,
  },
  {
    magic: [{ at: 0, text: 'PK\x03\x04' }],
    holds: ['data.pkl', '__torch__'],
    is: `a TorchScript model: convert it with ${fromTorchScript}`,
  },
  {
    // torch.save writes a zip whose first entry is "<name>/data.pkl".
    magic: [{ at: 0, text: 'PK\x03\x04' }],
    holds: ['data.pkl', 'OrderedDict', '_rebuild_tensor'],
    lacks: ['torch.nn.modules'],
    is: `PyTorch weights without their network: build the network, load them into it, then torch.onnx.export(network.eval(), torch.zeros(1, 3, 640, 640), '{stem}.onnx')`,
  },
  {
    magic: [{ at: 0, text: 'PK\x03\x04' }],
    holds: ['data.pkl'],
    is: `a PyTorch checkpoint: convert it with ${fromTorch}`,
  },
  {
    magic: [
      { at: 0, text: '\x80\x02' },
      { at: 0, text: '\x80\x03' },
      { at: 0, text: '\x80\x04' },
      { at: 0, text: '\x80\x05' },
    ],
    is: `a Python pickle (PyTorch): convert it with ${fromTorch}`,
  },
  {
    magic: [{ at: 0, text: 'PK\x03\x04' }],
    holds: ['keras_version'],
    is: `a Keras model: convert it with ${fromKeras}`,
  },
  { magic: [{ at: 0, text: 'PK\x03\x04' }], ending: /\.keras$/i, is: `a Keras model: convert it with ${fromKeras}` },
  {
    magic: [{ at: 0, text: 'PK\x03\x04' }],
    holds: ['com.apple.CoreML'],
    is: `a Core ML package, which runs only on Apple's devices: ${noWayBack}`,
  },
  {
    magic: [{ at: 0, text: 'PK\x03\x04' }],
    holds: ['saved_model.pb'],
    is: `a zip archive of a TensorFlow SavedModel: unpack it, and convert its folder with ${fromSavedModel}`,
  },
  {
    magic: [{ at: 0, text: 'PK\x03\x04' }],
    holds: ['model.params'],
    is: `a program for Qualcomm's accelerators (.dlc), which runs only there: ${noWayBack}`,
  },
  {
    magic: [{ at: 0, text: 'PK\x03\x04' }],
    holds: ['.tflite'],
    is: 'a zip archive: unpack it and drop the .tflite inside, with its labels',
  },
  { magic: [{ at: 0, text: 'PK\x03\x04' }], is: 'a zip archive: unpack it and drop the .onnx or .tflite inside' },
  { magic: [{ at: 0, text: '\xff\xd8\xff' }], is: 'a JPEG picture: drop it on the stage instead' },
  { magic: [{ at: 0, text: '\x89PNG' }], is: 'a PNG picture: drop it on the stage instead' },
  { magic: [{ at: 4, text: 'ET1' }], is: `a program for ExecuTorch: ${noWayBack}` },
  {
    magic: [{ at: 0, text: '{"base_code":{"magic":"pir"' }],
    is: `a PaddlePaddle model: convert it with ${fromPaddleJson}`,
  },
  { magic: [{ at: 8, text: '{' }], ending: /\.safetensors$/i, is: safetensors },
  { magic: [{ at: 8, text: '{"' }], is: safetensors },
  { holds: ['<net ', '<layer'], is: `an OpenVINO network: ${noWayBack} (ovc converts to this format only)` },
  {
    // A SavedModel begins with its schema version 1 and a graph; an ONNX file with its IR version, which is 3 or more.
    magic: [{ at: 0, text: '\x08\x01\x12' }],
    is: `a TensorFlow SavedModel: convert its folder with ${fromSavedModel}`,
  },
  {
    magic: [{ at: 0, text: '\x0a' }],
    ending: /\.pb$/i,
    is: `a TensorFlow graph: convert it with ${toOnnx} --graphdef {file} --inputs INPUT:0 --outputs OUTPUT:0 --output {stem}.onnx`,
  },
];

/** By what a file's name says: for bytes that tell nothing. */
const kindsByName: readonly Pick<FileKind, 'is' | 'ending'>[] = [
  {
    ending: /\.(tflite|lite)$/i,
    is: 'a TensorFlow Lite model, which it does not begin as: it is damaged or was not fetched as a whole, so copy or download it again',
  },
  {
    ending: /\.(mlmodel|mlpackage)$/i,
    is: "a Core ML model, which runs only on Apple's devices: export the network that it was made of to ONNX; a classic one converts with onnxmltools.convert_coreml(coremltools.utils.load_spec('{file}'))",
  },
  {
    ending: /\.(mnn|nb|om|axmodel|blob|cvimodel|bmodel)$/i,
    is: `a model for the runtime or the accelerator that it was built for, which runs only there: ${noWayBack}`,
  },
  { ending: /\.(pdmodel|pdiparams)$/i, is: `a PaddlePaddle model: convert it with ${fromPaddle}` },
  {
    ending: /\.caffemodel$/i,
    is: 'Caffe weights: convert them, with the .prototxt beside them, with python -m caffe2onnx.convert --prototxt {stem}.prototxt --caffemodel {file} --onnx {stem}.onnx',
  },
  {
    ending: /\.weights$/i,
    is: 'Darknet weights: convert them with the .cfg beside them, by a Darknet-to-ONNX exporter for that version of YOLO',
  },
  { ending: /\.data$|_data$/i, is: 'weights that belong to an ONNX model: drop the .onnx file together with it' },
  {
    ending: /\.bin$/i,
    is: 'weights without their network (OpenVINO keeps that in an .xml, ncnn in a .param): give the .onnx that they were made from',
  },
];

/** A checkpoint's entry names are in its first entries, behind the zip's own header. */
const headBytes = 16 * 1024;

/** What a file's bytes look like that are no ONNX model, in words that follow "looks like"; '' if nothing comes to mind. */
export function guessFileKind(bytes: Uint8Array, fileName = 'model'): string {
  const head = latin1(bytes.subarray(0, headBytes));
  const kind = kinds.find((one) => isOfKind(one, head, fileName));
  if (kind !== undefined) return namedAs(fileName, kind.is);
  const text = head.trimStart().toLowerCase();
  if (text.startsWith('<!doctype html') || text.startsWith('<html')) {
    return 'a web page: the address probably leads to a page about the model, or to a sign-in';
  }
  if (/^[{[]/.test(text)) return 'a JSON file';
  return '';
}

/** Guesses as `guessFileKind` does, by the name alone: only for a file that could not be read, since anything may be called anything. */
export function guessKindByName(fileName: string): string {
  const kind = kindsByName.find(({ ending }) => ending!.test(fileName));
  return kind ? namedAs(fileName, kind.is) : '';
}

function isOfKind({ magic, holds = [], lacks = [], ending }: FileKind, head: string, fileName: string): boolean {
  const begins = magic === undefined || magic.some(({ at, text }) => head.startsWith(text, at));
  if (!begins || (ending !== undefined && !ending.test(fileName))) return false;
  return holds.every((text) => head.includes(text)) && !lacks.some((text) => head.includes(text));
}

function namedAs(fileName: string, words: string): string {
  return words.replaceAll('{file}', fileName).replaceAll('{stem}', fileName.replace(/\.[^.]*$/, ''));
}

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
