/** A message in words, and apart from them the text of the runtime that it ends with; '' where it has none. */
export function withoutRuntimeText(message: string): { readonly message: string; readonly detail: string } {
  const [, words, runtime, text] = /^(.*?) \((ONNX Runtime|LiteRT): (.*)\)$/s.exec(message) ?? [];
  return words === undefined ? { message, detail: '' } : { message: words, detail: `${runtime}: ${text}` };
}
