import { Badge } from '../components/badge.tsx';
import { LinkButton } from '../components/button.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { FollowLink, Live } from '../components/live.tsx';
import { Code, Empty, Facts, Note, PageHead, Progress } from '../components/page-parts.tsx';
import { bytesText, countOf, countText } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { ManagementFailure, settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, seeOther } from '../pages/screen.ts';
import { type Import, ImportDetails, ImportPage, type Rejection } from './import-answers.ts';
import { type ImportKind, importCommand, isRunning, kindOf } from './import-kinds.ts';
import { apiImportPath, importPath, importsPath } from './import-paths.ts';
import { baseName, rowText } from './rejected-rows.ts';

const missing = () => new ManagementFailure({ status: 404, code: 'not-found', detail: 'There is no such import.' });

/** The list of imports of the last 90 days. */
export const importList: Screen = async (pageRequest) => {
  const kind = kindOf(pageRequest);
  const cursor = pageRequest.query.get('cursor') ?? '';
  const { items, nextCursor } = await pageRequest.management.get(kind.apiPath, ImportPage, { limit: '50', cursor });
  const isOver = !items.some(isRunning);
  const own = importsPath(pageRequest);
  const list = {
    isOver,
    content: (
      <div class="card">
        {items.length > 0 ? (
          <DataTable caption="Imports" columns={columnsOf(pageRequest, kind)} rows={items} keyOf={({ id }) => id} />
        ) : (
          <Empty title={`No import of ${kind.name} yet`}>
            Upload a CSV or JSON file. Imports are listed for 90 days.
          </Empty>
        )}
        <Pager
          newest={cursor === '' ? undefined : own}
          older={nextCursor && `${own}?${new URLSearchParams({ cursor: nextCursor }).toString()}`}
        />
      </div>
    ),
  };
  return page(
    kind.title,
    <>
      <PageHead title={kind.title} lead={`Imported files of ${kind.name} and their rejected lines, newest first.`}>
        <LinkButton kind="primary" label="Import a file" href={importsPath(pageRequest, '-/new')} />
      </PageHead>
      <div class="stack">
        <Live name="list" part={list} />
        <FollowLink isOver={isOver} />
        <HowTo pageRequest={pageRequest} kind={kind} />
      </div>
    </>,
    { live: { list } },
  );
};

const TYPE: Column<Import> = { title: 'Type', cell: ({ type }) => type, onPhone: 'first' };

const columnsOf = (pageRequest: PageRequest, kind: ImportKind): readonly Column<Import>[] => [
  { title: 'Status', cell: (job) => <Status job={job} />, onPhone: 'first' },
  {
    title: 'File',
    isRowHeader: true,
    class: 'strong clip',
    onPhone: 'first',
    cell: ({ id, name, key }) => (
      <a href={importPath(pageRequest, id)} title={key}>
        {name}
      </a>
    ),
  },
  ...(kind.name === 'records' ? [TYPE] : []),
  { title: 'Imported', cell: ({ imported }) => countOf(imported, kind.one), isRight: true, onPhone: 'second' },
  {
    title: 'Rejected',
    isRight: true,
    onPhone: 'second',
    cell: ({ rejected }) => <span class={rejected === 0 ? 'faint' : 'poor'}>{countText(rejected)} rejected</span>,
  },
  { title: 'Size', cell: ({ bytes }) => bytesText(bytes), isRight: true, class: 'nowrap', onPhone: 'gone' },
  { title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} />, isRight: true, onPhone: 'second' },
];

function Status({ job }: { readonly job: Pick<Import, 'status' | 'rejected'> }) {
  if (isRunning(job)) return <Badge tone="info" icon="clock" label="Running" />;
  if (job.status !== 'COMPLETED') return <Badge tone="bad" icon="cross" label="Failed" />;
  if (job.rejected > 0) return <Badge tone="warn" icon="warning" label="Some rejected" />;
  return <Badge tone="ok" icon="check" label="Completed" />;
}

function HowTo({ pageRequest, kind }: { readonly pageRequest: PageRequest; readonly kind: ImportKind }) {
  return (
    <details class="card pad">
      <summary>Import by a command</summary>
      <div class="stack">
        <Code id="command" text={importCommand(kind, pageRequest.tenant)} label="The command that imports a file" />
        <p class="hint">
          {kind.name === 'records' ? 'The type is businesses, products or properties. ' : 'GeoJSON works too. '}A file
          is NDJSON or CSV, plain or gzip. The optional map renames columns. For a deployed service add{' '}
          <code>--stage</code>. A line with an existing id replaces that {kind.one}.
        </p>
      </div>
    </details>
  );
}

/** One import with its progress and a page of its rejected lines. */
export const importScreen: Screen = async (pageRequest) => {
  const kind = kindOf(pageRequest);
  const rejectionsAfter = pageRequest.query.get('after') ?? '';
  const path = apiImportPath(kind, pageRequest.path['id']);
  const [job, newest] = await Promise.all([
    pageRequest.management.get(path, ImportDetails, { rejectionsAfter }),
    settled(pageRequest.management.get(kind.apiPath, ImportPage, { limit: '100' })),
  ]);
  const related = newest.ok ? relatedTo(job, newest.value.items) : [];
  const isOver = !isRunning(job);
  const progress = { isOver, content: <ImportProgress job={job} kind={kind} /> };
  return page(
    job.name,
    <>
      <PageHead
        title={job.name}
        lead={<span class="mono">{job.key}</span>}
        under={[importsPath(pageRequest), kindOf(pageRequest).title]}
      />
      <div class="stack">
        <Live name="progress" part={progress} reloadsAtEnd saysState />
        <FollowLink isOver={isOver} />
        <Rejected
          pageRequest={pageRequest}
          job={job}
          after={Number(rejectionsAfter)}
          isImportedSince={related.some(({ startedAt }) => startedAt > job.startedAt)}
        />
        <Related pageRequest={pageRequest} related={related} kind={kind} />
      </div>
    </>,
    { live: { progress } },
  );
};

/** The other imports of the file or of its fixed rows. */
const relatedTo = ({ id, name, type }: Import, imports: readonly Import[]): readonly Import[] =>
  imports.filter((other) => other.id !== id && other.type === type && baseName(other.name) === baseName(name));

interface RelatedProps {
  readonly pageRequest: PageRequest;
  readonly related: readonly Import[];
  readonly kind: ImportKind;
}

function Related({ pageRequest, related, kind }: RelatedProps) {
  if (related.length === 0) return null;
  return (
    <section class="card">
      <div class="head">
        <h2>Imports of the same file and its fixed rows</h2>
      </div>
      <DataTable
        caption="Related imports"
        columns={columnsOf(pageRequest, kind)}
        rows={related}
        keyOf={({ id }) => id}
      />
    </section>
  );
}

function ImportProgress({ job, kind }: { readonly job: ImportDetails; readonly kind: ImportKind }) {
  const { lines, imported, deleted, rejected, bytes, bytesDone, completedAt } = job;
  return (
    <section class="card pad stack">
      <div class="head">
        <Status job={job} />
        <span class="muted">
          {bytesText(bytesDone)} of {bytesText(bytes)} read
        </span>
      </div>
      <Progress done={bytesDone} all={bytes} label="File read" />
      {job.error !== undefined && <Note tone="bad">{job.error}</Note>}
      <Facts
        facts={{
          'Lines of the file': countText(lines),
          Imported: countOf(imported, kind.one),
          Deleted: deleted === 0 ? undefined : countOf(deleted, kind.one),
          Rejected: countOf(rejected, 'line'),
          Started: <Time at={job.startedAt} />,
          [completedAt === undefined ? 'Last change' : 'Ended']: (
            <Time at={completedAt ?? job.updatedAt} sameDayAs={job.startedAt} />
          ),
        }}
      />
    </section>
  );
}

interface RejectedProps {
  readonly pageRequest: PageRequest;
  readonly job: ImportDetails;
  /** The rejected lines before the page. */
  readonly after: number;
  /** True if the file or its fixed rows were imported later. */
  readonly isImportedSince: boolean;
}

function Rejected({ pageRequest, job, after, isImportedSince }: RejectedProps) {
  const { rejected, rejections, rejectionsUrls = [] } = job;
  if (rejected === 0) return null;
  const own = importPath(pageRequest, job.id);
  const end = after + rejections.length;
  return (
    <section class="card">
      <div class="head">
        <h2>Rejected lines</h2>
        <div class="row">
          {rejectionsUrls.map((_, index) => (
            <a key={index} class="button small" href={`${own}/rejections/${index + 1}`}>
              {rejectionsUrls.length === 1 ? 'Download all' : `File ${index + 1}`}
            </a>
          ))}
          {rejections.length > 0 && (
            <LinkButton
              kind={isImportedSince ? 'small' : 'small primary'}
              label="Fix and import again"
              href={`${own}/fix${after > 0 ? `?after=${after}` : ''}`}
            />
          )}
        </div>
      </div>
      {isImportedSince && (
        <div class="pad">
          <Note tone="info">This file or its fixed rows were imported since: see below.</Note>
        </div>
      )}
      {rejections.length > 0 ? (
        <DataTable
          caption="Rejected lines"
          columns={REJECTION_COLUMNS}
          rows={rejections}
          keyOf={({ line, reason }) => `${line} ${reason}`}
        />
      ) : (
        <p class="pad muted">The reasons have expired.</p>
      )}
      {rejections.length > 0 && rejections.length < rejected && (
        <p class="pad hint">
          Lines {countText(after + 1)} to {countText(end)} of {countText(rejected)}.
        </p>
      )}
      <Pager
        newest={after > 0 ? own : undefined}
        older={rejections.length > 0 && end < rejected ? `${own}?after=${end}` : undefined}
        label="Next lines"
        firstLabel="First lines"
      />
    </section>
  );
}

/** The characters of a row that the list shows. */
const ROW_MAX = 300;

function RowText({ rejection }: { readonly rejection: Rejection }) {
  const text = rowText(rejection);
  if (text === undefined) return <span class="faint">not in the report</span>;
  return <code class="wrap">{text.length > ROW_MAX ? `${text.slice(0, ROW_MAX)}…` : text}</code>;
}

const REJECTION_COLUMNS: readonly Column<Rejection>[] = [
  { title: 'Line', cell: ({ line }) => countText(line), class: 'strong nowrap', onPhone: 'first' },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'Row', cell: (rejection) => <RowText rejection={rejection} /> },
];

/** Redirects to a report of rejected lines, by a new presigned link. */
export const rejectionsFile: Screen = async (pageRequest) => {
  const { rejectionsUrls = [] } = await pageRequest.management.get(
    apiImportPath(kindOf(pageRequest), pageRequest.path['id']),
    ImportDetails,
  );
  const url = rejectionsUrls[Number(pageRequest.path['number']) - 1];
  if (url === undefined) throw missing();
  return seeOther(url);
};
