const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Escapes the text of an element. Most control characters become U+FFFD, because XML 1.0 §2.2 forbids them even as
 * references. Line breaks, tabs and outer spaces are written as references, because parsers normalize them (§2.11).
 */
export function escapedXml(text: string): string {
  return text
    .replace(/[^\P{Cc}\t\n\r\x7f-\x9f]|[\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
    .replace(/[&<>]/g, (letter) => entities[letter]!)
    .replace(/[\t\n\r]|^ | $/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** Escapes the value of an attribute in double quotes. */
export const escapedAttribute = (text: string): string => escapedXml(text).replaceAll('"', '&quot;');
