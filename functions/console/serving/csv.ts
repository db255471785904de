/** Matches text that a spreadsheet would run as a formula. Numbers with a sign are not formulas. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const NUMBER = /^[+-]?\d[\d.,]*%?$/;

/** Returns a line of a CSV file (RFC 4180). A cell that a spreadsheet would run is quoted with an apostrophe. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(text: string): string {
  const harmless = FORMULA.test(text.trimStart()) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",;\r\n\t]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The entities that rendered markup has. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

/**
 * Returns the text of rendered markup. Times are in ISO 8601, as the API has them; what is only there for screen
 * readers or as a drawing is left out.
 */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<svg.*?<\/svg>|<span class="hidden">.*?<\/span>/gs, '')
    .replaceAll(/<time (?:"[^"]*"|[^">])*?datetime="([^"]*)"(?:"[^"]*"|[^">])*>.*?<\/time>/gs, '$1')
    .replaceAll(/<\/?(?:div|li|ul|p|br)\b(?:"[^"]*"|[^">])*>/g, ' ')
    // The value of an attribute may have a > in it.
    .replaceAll(/<(?:"[^"]*"|[^">])*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
