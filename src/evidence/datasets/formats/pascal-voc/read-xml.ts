import { SaxesParser } from 'saxes';

/** An XML element with its attributes, children and text. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** text of the element without that of its children, trimmed */
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const deepest = 32;

/**
 * Parses a small XML document. Entities of a document type are not expanded, which prevents entity bombs.
 *
 * @throws the parser's Error, which names line and column
 */
export function readXml(text: string): XmlElement | null {
  const parser = new SaxesParser();
  const open: OpenElement[] = [];
  let root: XmlElement | null = null;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= deepest) throw new Error(`Elements are nested more than ${deepest} deep.`);
    open.push({ name, attributes, children: [], text: '' });
  });
  const addText = (piece: string) => {
    const current = open.at(-1);
    if (current) current.text += piece;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const { name, attributes, children, text: inner } = open.pop()!;
    const element = { name, attributes, children, text: inner };
    if (open.length > 0) open.at(-1)!.children.push(element);
    else root = element;
  });
  parser.write(text).close();
  return root;
}

/** The first child with a name; undefined if there is none. */
export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((one) => one.name === name);
}

/** The trimmed text of the first child with a name; '' if there is none. */
export function childText(element: XmlElement | undefined, name: string): string {
  return child(element, name)?.text.trim() ?? '';
}
