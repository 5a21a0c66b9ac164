const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Makes text stand in HTML, also between double quotes.
 * @param text plain text
 * @returns the text with its signs escaped
 * @example
 * escapeHtml('a < "b"'); // => 'a &lt; &quot;b&quot;'
 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => escapes[sign]!);
}
