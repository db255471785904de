import { LinkButton, Submit } from '../components/button.tsx';
import { PostForm, TextArea } from '../components/form.tsx';
import { Empty, Note, PageHead, Problem } from '../components/page-parts.tsx';
import { countOf, countText } from '../components/quantities.ts';
import { type ManagementFailure, settled } from '../management/management.ts';
import { type Page, type PageRequest, page, type Screen, seeOther } from '../pages/screen.ts';
import { ImportDetails } from './import-answers.ts';
import { type ImportKind, kindOf } from './import-kinds.ts';
import { apiImportPath, importPath, startedPath } from './import-paths.ts';
import { type FixableRow, faultyColumns, fixableRow, fixedFile, typedRow } from './rejected-rows.ts';
import { startImport, uploadFile } from './upload.ts';

const jobOf = (pageRequest: PageRequest, kind: ImportKind) =>
  pageRequest.management.get(apiImportPath(kind, pageRequest.path['id']), ImportDetails, {
    rejectionsAfter: pageRequest.query.get('after') ?? '',
  });

/** A page of rejected rows in fields, to be fixed and imported again. */
export const fixImport: Screen = async (pageRequest) => {
  const job = await jobOf(pageRequest, kindOf(pageRequest));
  return fixPage(pageRequest, job);
};

/** The reason why the rows were not imported. */
type Refused = 'all-left-out' | ManagementFailure;

/** The rows of the report, or those of a form that was refused, as they were typed. */
function fixPage(pageRequest: PageRequest, job: ImportDetails, refused?: Refused): Page {
  const own = importPath(pageRequest, job.id);
  const rows = job.rejections.map((rejection, index) =>
    typedRow(fixableRow(rejection, job.columns), index, pageRequest.form),
  );
  const after = pageRequest.query.get('after') ?? '';
  return page(
    'Fix rejected rows',
    <>
      <PageHead
        title="Fix rejected rows"
        lead="The rows become a new import with the same columns. Rows that were accepted are not touched."
        under={[own, job.name]}
      />
      {rows.every(({ kind }) => kind === 'missing') ? (
        <Empty title="No row to fix">The report has no row that can be shown here.</Empty>
      ) : (
        <PostForm class="stack" action={`${own}/fix${after === '' ? '' : `?after=${encodeURIComponent(after)}`}`}>
          {refused && <Refusal refused={refused} />}
          {rows.map((row, index) => (
            <RowFields key={index} job={job} row={row} index={index} />
          ))}
          <div class="row">
            <Submit
              kind="primary"
              label={`Import ${countOf(rows.filter(({ kind }) => kind !== 'missing').length, 'row')}`}
            />
            <LinkButton label="Cancel" href={own} />
          </div>
        </PostForm>
      )}
    </>,
    { status: refused === undefined ? 200 : refused === 'all-left-out' ? 400 : refused.status },
  );
}

const Refusal = ({ refused }: { readonly refused: Refused }) =>
  refused === 'all-left-out' ? (
    <Note tone="bad">All rows are left out. Keep at least one.</Note>
  ) : (
    <Problem failure={refused} />
  );

interface RowFieldsProps {
  readonly job: ImportDetails;
  readonly row: FixableRow;
  readonly index: number;
}

function RowFields({ job, row, index }: RowFieldsProps) {
  const { line, reason } = row;
  const id = `row-${index}`;
  return (
    <fieldset class="card pad stack">
      <legend>Line {countText(line)}</legend>
      <p class="wrong" id={`${id}-reason`}>
        {reason}
      </p>
      {row.kind === 'missing' ? (
        <p class="hint">This row is too long to fix here. Download the report to see where it is.</p>
      ) : (
        <>
          <input type="hidden" name="row" value={index} />
          {row.kind === 'cells' ? (
            <CellFields job={job} row={row} id={id} index={index} />
          ) : (
            <TextArea name={`text-${index}`} label="Row" value={row.text} rows={2} isCode />
          )}
          <label class="tick" for={`${id}-without`}>
            <input id={`${id}-without`} type="checkbox" name={`without-${index}`} checked={row.isLeftOut} />
            <span>Leave line {countText(line)} out</span>
          </label>
        </>
      )}
    </fieldset>
  );
}

interface CellFieldsProps {
  readonly job: ImportDetails;
  readonly row: FixableRow & { readonly kind: 'cells' };
  readonly id: string;
  readonly index: number;
}

function CellFields({ job, row: { cells, reason }, id, index }: CellFieldsProps) {
  const faulty = new Set(faultyColumns(reason, job));
  const { columns = [] } = job;
  return (
    <div class="mapping">
      {columns.map((column, at) => {
        const cell = cells[at] ?? '';
        const field = {
          id: `${id}-${at}`,
          name: `cell-${index}`,
          'aria-invalid': faulty.has(column) ? ('true' as const) : undefined,
          'aria-describedby': faulty.has(column) ? `${id}-reason` : undefined,
        };
        return (
          <div key={column}>
            <label for={field.id}>{column === '' ? 'Column without a name' : column}</label>
            {cell.includes('\n') ? (
              <textarea {...field} rows={2} value={cell} />
            ) : (
              <input {...field} value={cell} autocomplete="off" />
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Imports the fixed rows as a file of their own. */
export const importFixed: Screen = async (pageRequest) => {
  const kind = kindOf(pageRequest);
  const job = await jobOf(pageRequest, kind);
  const file = fixedFile(pageRequest.form, job);
  if (!file) return fixPage(pageRequest, job, 'all-left-out');
  const started = await settled(importFile(pageRequest, job, file));
  if (!started.ok) return fixPage(pageRequest, job, started.failure);
  return seeOther(startedPath(pageRequest, started.value.key));
};

async function importFile(
  { management, ...pageRequest }: PageRequest,
  job: ImportDetails,
  { name, text }: { readonly name: string; readonly text: string },
) {
  const kind = kindOf(pageRequest);
  const upload = await uploadFile(management, kind, {
    name,
    type: kind.name === 'records' ? job.type : '',
    content: new TextEncoder().encode(text),
  });
  return startImport(management, kind, { upload, map: job.map });
}
