import { applyTextEdits, type TextEdit } from '../json/edit-json.ts';
import { parseDocument, type JsonNode } from '../json/json-document.ts';
import { ShareError } from './share-error.ts';

/** Keys whose values open something; matched as whole words of the key, without regard to case. */
const secretKey =
  /(^|[_\-.])(api_?key|key|keys|secret|secrets|payload|password|passwd|passphrase|token|credential|credentials|auth)s?($|[_\-.])|apikey|privatekey|accesskey|authtoken/i;

/** Matches `scheme://user:password@` and captures `scheme://`. The length of the scheme is bounded, because otherwise the search takes quadratic time. */
const addressWithUser = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^/@\s]+@/gi;

/**
 * Takes secrets out of a configuration: the values of keys that name one, and user and password in addresses.
 * @param text strict JSON
 * @returns the new text, and how many secrets there were
 * @throws ShareError `not-json` if mistakes in the text could hide a secret
 * @example
 * withoutSecrets('{"url": "rtsp://me:pw@cam", "token": "abc"}').text; // => '{"url": "rtsp://cam", "token": ""}'
 */
export function withoutSecrets(text: string): { text: string; removed: number } {
  const { root, errors } = parseDocument(text);
  if (errors.length > 0) {
    throw new ShareError(
      'not-json',
      'The configuration has mistakes in its JSON, which could hide a secret. Fix them, then share.',
    );
  }
  const edits: TextEdit[] = [];
  collectSecrets(root, edits);
  return { text: applyTextEdits(text, edits), removed: edits.length };
}

function collectSecrets(node: JsonNode | undefined, edits: TextEdit[]): void {
  if (node?.type === 'property') {
    const [key, value] = node.children ?? [];
    const words = String(key?.value).replace(/([a-z])([A-Z])/g, '$1_$2');
    if (value && secretKey.test(words) && holdsSomething(value)) {
      edits.push({ offset: value.offset, length: value.length, content: '""' });
      return;
    }
  }
  if (node?.type === 'string' && typeof node.value === 'string') {
    const open = node.value.replace(addressWithUser, '$1');
    if (open !== node.value) edits.push({ offset: node.offset, length: node.length, content: JSON.stringify(open) });
  }
  for (const child of node?.children ?? []) collectSecrets(child, edits);
}

function holdsSomething(value: JsonNode): boolean {
  return value.type !== 'null' && value.type !== 'boolean' && value.value !== '';
}
