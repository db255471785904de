/** The subset of XML that S3 uses: elements and text, without attributes or document types. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { ENTITIES, type XmlContent, xmlText } from '../endpoint/xml-text.ts';

export interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

export function xmlDocument(root: string, content: XmlContent): string {
  return `${DECLARATION}<${root} xmlns="${NAMESPACE}">${xmlText(content)}</${root}>`;
}

/** S3's errors have no namespace. */
export function xmlError(content: XmlContent): string {
  return `${DECLARATION}<Error>${xmlText(content)}</Error>`;
}

export function parseXml(text: string): XmlElement {
  const tokens = text.matchAll(
    /<\?[^]*?\?>|<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<(\/?)([^\s/>!?]+)[^>]*?(\/?)>|([^<]+)|</g,
  );
  const open: Mutable[] = [{ name: '', text: '', children: [] }];
  for (const [token, cdata, closing, name, selfClosing, characters] of tokens) {
    const current = open.at(-1);
    if (!current) throw malformed();
    if (token === '<') throw malformed();
    if (cdata !== undefined || characters !== undefined) {
      current.text += cdata ?? unescaped(characters ?? '');
    } else if (name !== undefined && closing === '/') {
      if (open.pop()?.name !== localName(name)) throw malformed();
    } else if (name !== undefined) {
      const element: Mutable = { name: localName(name), text: '', children: [] };
      current.children.push(element);
      if (selfClosing !== '/') open.push(element);
    }
  }
  const root = open[0]?.children[0];
  if (open.length !== 1 || !root || open[0]?.children.length !== 1) throw malformed();
  return root;
}

export function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

export function textOf(element: XmlElement | undefined, name: string): string | undefined {
  return childOf(element, name)?.text;
}

interface Mutable {
  readonly name: string;
  text: string;
  readonly children: Mutable[];
}

function unescaped(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return CHARACTERS.get(name ?? '') ?? whole;
    },
  );
}

const CHARACTERS = new Map([...[...ENTITIES].map(([character, name]) => [name, character] as const), ['apos', "'"]]);

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function malformed(): CallRefusal {
  return new CallRefusal(
    400,
    'MalformedXML',
    'The XML you provided was not well-formed or did not validate against our published schema.',
  );
}
