import type { Form } from '../pages/form.ts';
import type { ImportMap, PreviewColumn } from './import-answers.ts';

/** A column of the file, and the fields that it fills: one, several with commas, or none if it is left out. */
interface MappedColumn {
  readonly name: string;
  readonly fields: string;
}

/** The mapping as the form has it. */
export interface Mapping {
  readonly columns: readonly MappedColumn[];
  /** A line `field = value` for each value that all rows get. */
  readonly constants: string;
}

/** The mapping to begin with: every column fills the field that its name suggests. */
export const suggestedMapping = (columns: readonly PreviewColumn[]): Mapping => ({
  columns: columns.map(({ name, suggestion }) => ({
    name,
    fields: suggestion ?? '',
  })),
  constants: '',
});

export function mappingIn(form: Form): Mapping {
  const fields = form.all('field');
  const columns = form.all('column').map((name, index) => ({ name, fields: (fields[index] ?? '').trim() }));
  return { columns, constants: form.text('constants') };
}

/** The fields of a column. */
export const listOf = (fields: string): string[] =>
  fields
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');

/** The import map of the API; undefined if every column fills the field of its name. */
export function mapOf({ columns, constants }: Mapping): ImportMap | undefined {
  const values = constantsIn(constants);
  const isPlain = columns.every(({ name, fields }) => name === fields) && Object.keys(values).length === 0;
  if (isPlain) return undefined;
  const targets = columns.map(({ name, fields }) => [name, targetOf(listOf(fields))] as const);
  return { columns: Object.fromEntries(targets), constants: values };
}

function targetOf(fields: readonly string[]): string | null | string[] {
  const [first, ...others] = fields;
  if (first === undefined) return null;
  return others.length === 0 ? first : [...fields];
}

function constantsIn(text: string): Record<string, string> {
  const lines = text.split('\n').map((line) => /^\s*([^\s=][^=]*?)\s*=(.*)$/.exec(line));
  return Object.fromEntries(lines.flatMap((line) => (line ? [[line[1] ?? '', (line[2] ?? '').trim()]] : [])));
}
