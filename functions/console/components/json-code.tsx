import { formatJson, isJson, jsonParts } from './json-text.ts';
import { Code } from './page-parts.tsx';

/** The most characters of a text on a page; the whole text can be saved as a file. */
const TEXT_MAX = 16_384;

interface JsonCodeProps {
  readonly id: string;
  readonly text: string;
  readonly label: string;
}

/** Text to read and copy. JSON is indented and coloured, any other text stays as it is; a long text is cut. */
export function JsonCode({ id, text, label }: JsonCodeProps) {
  const isFormatted = isJson(text);
  const excerpt = isFormatted ? formatJson(text, TEXT_MAX) : text.slice(0, TEXT_MAX);
  return (
    <>
      <Code id={id} text={isFormatted ? coloured(excerpt) : excerpt} label={label} />
      {excerpt.length === TEXT_MAX && <p class="hint">Only the beginning is shown.</p>}
    </>
  );
}

const coloured = (json: string) =>
  jsonParts(json).map(({ kind, text }) => (kind === 'other' ? text : <span class={`json-${kind}`}>{text}</span>));
