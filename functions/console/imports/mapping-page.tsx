import { Badge } from '../components/badge.tsx';
import { LinkButton, Submit } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { PostForm, TextArea } from '../components/form.tsx';
import { Note, PageHead, Problem } from '../components/page-parts.tsx';
import { bytesText, countOf, countText } from '../components/quantities.ts';
import type { ManagementFailure } from '../management/management.ts';
import { type Page, type PageRequest, page } from '../pages/screen.ts';
import { listOf, type Mapping, mapOf, suggestedMapping } from './column-mapping.ts';
import { ImportPreview, type PreviewRow } from './import-answers.ts';
import { kindOf } from './import-kinds.ts';
import { importsPath } from './import-paths.ts';
import { rowText } from './rejected-rows.ts';
import { typed, type Upload, uploadFields } from './upload.ts';

interface MappingState {
  readonly upload: Upload;
  /** @default the suggested one */
  readonly mapping?: Mapping;
  /** Why the import did not start. */
  readonly failure?: ManagementFailure;
}

/** The page that maps the columns of a file to fields, with its first rows as they would be imported. */
export async function mappingPage(
  pageRequest: PageRequest,
  { upload, failure, ...state }: MappingState,
): Promise<Page> {
  const { mapping, preview } = await mappedPreview(pageRequest, upload, state.mapping);
  const own = (below: string) => importsPath(pageRequest, below);
  const part = { isOver: true, content: <Preview preview={preview} mapping={mapping} /> };
  const again = {
    container: 'preview',
    path: `${own('-/mapping')}?fragment=preview`,
  };
  return page(
    `Import ${upload.name}`,
    <>
      <PageHead
        title={`Import ${upload.name}`}
        lead={`${bytesText(upload.bytes)} uploaded. Nothing is imported yet.`}
        under={[own(''), kindOf(pageRequest).title]}
      />
      <PostForm class="stack" action={own('-/start')} preview={again}>
        {failure && <Problem failure={failure} title="The import has not started." />}
        {uploadFields(upload).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <section class="card">
          <div class="head">
            <h2>Columns</h2>
          </div>
          <MappingFields mapping={mapping} preview={preview} />
        </section>
        <div id="preview">{part.content}</div>
        <div class="row">
          <Submit kind="primary" label="Start import" />
          <Submit label="Preview" formAction={own('-/mapping')} formNoValidate />
          <LinkButton label="Choose another file" href={own('-/new')} />
        </div>
      </PostForm>
    </>,
    { live: { preview: part }, status: failure?.status ?? 200 },
  );
}

/** The preview of a file under a mapping. Without one, the columns are read first, and mapped as their names suggest. */
async function mappedPreview(pageRequest: PageRequest, { name, bytes, head, type }: Upload, stated?: Mapping) {
  const path = `${kindOf(pageRequest).apiPath}/preview`;
  const under = (mapping: Mapping | undefined) => {
    const map = mapping && mapOf(mapping);
    const body = { ...typed(type), name, bytes, head, ...(map && { map }) };
    return pageRequest.management.send({ method: 'POST', path, body }, ImportPreview);
  };
  const preview = await under(stated);
  const mapping = stated ?? suggestedMapping(preview.columns);
  const isPlain = stated !== undefined || mapOf(mapping) === undefined;
  return { mapping, preview: isPlain ? preview : await under(mapping) };
}

interface PreviewProps {
  readonly preview: ImportPreview;
  readonly mapping: Mapping;
}

function MappingFields({ mapping, preview: { fields, unknownFields = {} } }: PreviewProps) {
  const { columns, constants } = mapping;
  return (
    <div class="pad stack">
      <p class="hint">
        Choose the field that each column fills. Leave it empty to leave the column out. Separate several fields by
        commas.
      </p>
      <datalist id="fields">
        {fields.map((field) => (
          <option key={field}>{field}</option>
        ))}
      </datalist>
      <div class="mapping">
        {columns.map(({ name, fields: value }, index) => (
          <div key={name}>
            <label for={`field-column-${index}`}>{name === '' ? 'Column without a name' : name}</label>
            <input type="hidden" name="column" value={name} />
            <input
              id={`field-column-${index}`}
              name="field"
              class="mono"
              value={value}
              list="fields"
              placeholder="left out"
              autocomplete="off"
              spellcheck={false}
              aria-invalid={faultOf(value, unknownFields) !== undefined}
              aria-describedby={faultOf(value, unknownFields) && `field-column-${index}-wrong`}
            />
            {faultOf(value, unknownFields) && (
              <p class="wrong" id={`field-column-${index}-wrong`}>
                {faultOf(value, unknownFields)}
              </p>
            )}
          </div>
        ))}
      </div>
      <TextArea
        name="constants"
        label="Values for every row"
        value={constants}
        rows={2}
        hint={`One per line, such as ${exampleOf(fields)}. Rows with a value of their own keep it.`}
      />
    </div>
  );
}

/** A value for every row, of a field that there is. */
const exampleOf = (fields: readonly string[]): string =>
  fields.includes('country') ? 'country = US' : fields.includes('state') ? 'state = WA' : `${fields[0]} = …`;

/** The complaint about a field of a column that does not exist. */
const faultOf = (fields: string, unknownFields: Readonly<Record<string, string>>): string | undefined =>
  listOf(fields)
    // A person may type any name, such as `constructor`.
    .map((field) => (Object.hasOwn(unknownFields, field) ? unknownFields[field] : undefined))
    .find((fault) => fault !== undefined);

/** The most columns of the preview beside the line and the result. */
const FIELDS_MAX = 8;
const TEXT_MAX = 80;

function Preview({ preview: { rows, fault, unknownFields = {} }, mapping }: PreviewProps) {
  const names = namesIn(rows, mapping);
  const leftOut = mapping.columns.filter(({ fields }) => fields === '');
  const unknown = Object.keys(unknownFields);
  return (
    <section class="card">
      <div class="head">
        <h2>First {rows.length === 1 ? 'row' : `${rows.length} rows`} as imported</h2>
      </div>
      {fault !== undefined && (
        <div class="pad">
          <Note tone="bad" title="This file can't be imported like this.">
            <span class="lines">{fault}</span>
          </Note>
        </div>
      )}
      {unknown.length > 0 && (
        <div class="pad">
          <Note tone="bad" title="The import can't start like this.">
            There {unknown.length === 1 ? 'is no field' : 'are no fields'} {unknown.join(', ')}. The preview leaves{' '}
            {unknown.length === 1 ? 'its column' : 'their columns'} out.
          </Note>
        </div>
      )}
      {leftOut.length > 0 && (
        <p class="pad hint break">
          Left out: {countText(leftOut.length)} of {countOf(mapping.columns.length, 'column')} ({namesText(leftOut)}).
        </p>
      )}
      {rows.length > 0 ? (
        <DataTable
          caption="First rows"
          columns={[...RESULT_COLUMNS, ...names.slice(0, FIELDS_MAX).map(fieldColumn)]}
          rows={rows}
          keyOf={({ line, reason = '' }) => `${line} ${reason}`}
        />
      ) : (
        <p class="pad muted">There is no complete row at the beginning of the file.</p>
      )}
    </section>
  );
}

const clipped = (text: string): string => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text);

const NAMES_MAX = 10;

/** The first names, and how many there are beside them. */
function namesText(columns: readonly { readonly name: string }[]): string {
  const names = columns.slice(0, NAMES_MAX).map(({ name }) => clipped(name || 'without a name'));
  const more = columns.length - names.length;
  return [...names, ...(more > 0 ? [`and ${countText(more)} more`] : [])].join(', ');
}

/** The fields of the rows: the name, then those that the columns fill in the order of the file, then others. */
function namesIn(rows: readonly PreviewRow[], { columns }: Mapping): readonly string[] {
  const filled = new Set(
    rows.flatMap(({ item = {} }) => Object.keys(item).filter((name) => item[name] !== '' && item[name] !== undefined)),
  );
  const mapped = columns.flatMap(({ fields }) => listOf(fields).map((field) => field.split('.')[0] ?? field));
  return [...new Set(['name', ...mapped, ...filled])].filter((name) => filled.has(name));
}

const RESULT_COLUMNS: readonly Column<PreviewRow>[] = [
  {
    title: 'Line',
    cell: ({ line }) => countText(line),
    class: 'nowrap',
    onPhone: 'first',
  },
  { title: 'Result', cell: (row) => <Result row={row} /> },
];

function Result({ row: { reason, deletedId, ...source } }: { readonly row: PreviewRow }) {
  if (deletedId !== undefined) return <Badge tone="info" icon="cross" label={`Deletes ${deletedId}`} />;
  if (reason === undefined) return <Badge tone="ok" icon="check" label="Accepted" />;
  return (
    <div class="stack-s">
      <div>
        <Badge tone="bad" icon="cross" label="Rejected" /> {reason}
      </div>
      <code class="wrap">{rowText(source)}</code>
    </div>
  );
}

const fieldColumn = (name: string): Column<PreviewRow> => ({
  title: name,
  onPhone: 'gone',
  cell: ({ item }) => {
    const value = item?.[name];
    return value === undefined ? null : clipped(textOf(value));
  },
});

/** The value as text; several with commas. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isPlainList = Array.isArray(value) && value.every((one) => typeof one !== 'object');
  return isPlainList ? value.join(', ') : JSON.stringify(value);
}
