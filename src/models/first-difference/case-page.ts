/**
 * The page of a case: runs its model on both providers and writes how far apart they are, now and when it was saved.
 * @param ortVersion of the onnxruntime-web that it expects in the folder "ort"
 */
export function casePage(ortVersion: string): string {
  return `<!doctype html>
<meta charset="utf-8" />
<title>A difference between two backends</title>
<h1>A difference between two backends</h1>
<p>Needs the folder <code>dist</code> of onnxruntime-web ${ortVersion} as <code>ort</code> beside this page, and a server: see README.md.</p>
<pre id="report">Running…</pre>
<script type="module">
  const report = document.querySelector('#report');
  const say = (line) => (report.textContent += '\\n' + line);
  const arrays = {
    float32: Float32Array, float64: Float64Array, float16: Uint16Array, uint8: Uint8Array, int8: Int8Array, bool: Uint8Array,
    uint16: Uint16Array, int16: Int16Array, uint32: Uint32Array, int32: Int32Array, uint64: BigUint64Array, int64: BigInt64Array,
  };
  const half = (bits) => {
    const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  };
  const numbers = (dtype, data) => {
    if (dtype !== 'float16') return Float64Array.from(data, Number);
    return Float64Array.from(new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2), half);
  };
  const read = async ({ dtype, shape }, file) => {
    const bytes = await (await fetch(file)).arrayBuffer();
    const Type = arrays[dtype];
    const length = shape.reduce((a, b) => a * b, 1) * Type.BYTES_PER_ELEMENT;
    // A TensorProto ends with its numbers.
    return new Type(bytes.slice(bytes.byteLength - length));
  };
  const apart = (a, b) => {
    let largest = 0;
    for (let k = 0; k < a.length; k++) {
      if (Object.is(a[k], b[k]) || a[k] === b[k]) continue;
      const difference = Math.abs(a[k] - b[k]);
      largest = Math.max(largest, Number.isNaN(difference) ? Infinity : difference);
    }
    return largest;
  };
  try {
    const found = await (await fetch('case.json')).json();
    const ort = await import('./ort/' + (JSON.stringify(found.providers).includes('webgpu') ? 'ort.webgpu.min.mjs' : 'ort.min.mjs'));
    ort.env.wasm.wasmPaths = new URL('./ort/', location.href).href;
    ort.env.wasm.numThreads = 1;
    say(found.nodes.join(', '));
    const feedsOf = async (list) =>
      Object.fromEntries(await Promise.all(list.map(async (input) => [input.name, new ort.Tensor(input.dtype, await read(input, input.file), input.shape)])));
    const run = async (model, provider) => {
      const session = await ort.InferenceSession.create(model, { executionProviders: [provider] });
      if (found.earlier) await session.run(await feedsOf(found.earlier));
      const results = await session.run(await feedsOf(found.inputs));
      const copied = Object.fromEntries(Object.entries(results).map(([name, tensor]) => [name, tensor.data.slice()]));
      await session.release();
      return copied;
    };
    const right = await run(found.models.reference, found.providers.reference);
    const wrong = await run(found.models.other, found.providers.other);
    for (const output of found.outputs) {
      const [a, b] = [numbers(output.dtype, right[output.name]), numbers(output.dtype, wrong[output.name])];
      const saved = numbers(output.dtype, await read(output, output.file));
      say(output.name + ': ' + found.providers.reference + ' and ' + found.providers.other + ' differ by up to ' + apart(a, b) + ' here, by ' + output.largest + ' when this was saved.');
      say('  ' + found.providers.reference + ' here differs from ' + found.referenceName + ' then by up to ' + apart(a, saved) + '. Rounding: ' + output.bound);
    }
    say('Done.');
  } catch (error) {
    say('Failed: ' + error);
  }
</script>
`;
}
