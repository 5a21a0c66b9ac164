/** Files that people drop where a model is expected, by what their bytes begin with. */
const kinds: readonly { readonly at: number; readonly magic: string; readonly is: string }[] = [
  { at: 0, magic: 'version https://git-lfs', is: 'a Git LFS pointer: fetch the file itself with "git lfs pull"' },
  { at: 4, magic: 'TFL3', is: 'a TensorFlow Lite model: convert it with tf2onnx' },
  { at: 4, magic: 'ORTM', is: "ONNX Runtime's own .ort format: use the .onnx that it was made from" },
  { at: 0, magic: '\x89HDF', is: 'an HDF5 file (Keras): convert it with tf2onnx' },
  { at: 0, magic: 'GGUF', is: 'a GGUF language model' },
  { at: 0, magic: 'ftrt', is: 'a TensorRT engine: use the .onnx that it was built from' },
  { at: 0, magic: '\x1f\x8b', is: 'a gzip archive: unpack it first' },
  { at: 0, magic: '\x80\x02', is: 'a Python pickle (PyTorch): export it with torch.onnx.export' },
  { at: 0, magic: '\x80\x04', is: 'a Python pickle (PyTorch): export it with torch.onnx.export' },
  { at: 0, magic: '\xff\xd8\xff', is: 'a JPEG picture: drop it on the stage instead' },
  { at: 0, magic: '\x89PNG', is: 'a PNG picture: drop it on the stage instead' },
  { at: 8, magic: '{"', is: 'a safetensors file, which has weights but no graph' },
];

/** What a file that is no ONNX model looks like, in words that follow "looks like"; '' if nothing comes to mind. */
export function guessFileKind(bytes: Uint8Array): string {
  const head = Array.from(bytes.subarray(0, 512), (byte) => String.fromCharCode(byte)).join('');
  const kind = kinds.find(({ at, magic }) => head.startsWith(magic, at));
  if (kind !== undefined) return kind.is;
  if (head.startsWith('PK\x03\x04')) {
    // torch.save writes a zip whose first entry is "<name>/data.pkl".
    return head.includes('data.pkl')
      ? 'a PyTorch checkpoint: export it with torch.onnx.export'
      : 'a zip archive: unpack it and drop the .onnx inside';
  }
  const text = head.trimStart().toLowerCase();
  if (text.startsWith('<!doctype html') || text.startsWith('<html')) {
    return 'a web page: the address probably leads to a page about the model, or to a sign-in';
  }
  if (/^[{[]/.test(text)) return 'a JSON file';
  return '';
}
