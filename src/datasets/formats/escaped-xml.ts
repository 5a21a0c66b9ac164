const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Text as it stands in an element. XML 1.0 §2.2 has no place for most controls, not even escaped; line breaks survive only
 * as references (§2.11).
 */
export function escapedXml(text: string): string {
  return text
    .replace(/[^\P{Cc}\t\n\r\x7f-\x9f]|[\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
    .replace(/[&<>]/g, (letter) => entities[letter]!)
    .replace(/[\t\n\r]|^ | $/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** Text as it stands between the double quotes of an attribute. */
export const escapedAttribute = (text: string): string => escapedXml(text).replaceAll('"', '&quot;');
