import { SaxesParser } from 'saxes';

/** An element with what is inside. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** its own text, trimmed */
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
 * Reads a small XML document into elements. Entities of a document type are not expanded, so there are no bombs.
 *
 * @throws Error of the parser, which names line and column
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

/** The first child of that name, whatever stands before it. */
export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((one) => one.name === name);
}

/** The text of the first child of that name without white space around it; '' where there is none. */
export function childText(element: XmlElement | undefined, name: string): string {
  return child(element, name)?.text.trim() ?? '';
}
