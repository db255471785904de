import { Badge } from '../components/badge.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { FollowLink, Live } from '../components/live.tsx';
import { Code, Empty, Facts, Note, PageHead, Progress } from '../components/page-parts.tsx';
import { bytesText, countOf, countText } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { ManagementFailure } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { type Import, ImportDetails, ImportPage, type Rejection } from './import-answers.ts';
import { type ImportKind, importCommand, isRunning, kindOf } from './import-kinds.ts';

const missing = () => new ManagementFailure({ status: 404, code: 'not-found', detail: 'There is no such import.' });

/** The address of the list of imports, or of a page below it. */
function ownPath(pageRequest: PageRequest, below = ''): string {
  const list = pageRequest.tenant === '' ? '/console/imports' : screenPath(pageRequest, 'imports');
  return below === '' ? list : `${list}/${below}`;
}

const apiPathOf = (kind: ImportKind, id: string | undefined) => `${kind.apiPath}/${encodeURIComponent(id ?? '')}`;

/** The list of imports of the last 90 days. */
export const importList: Screen = async (pageRequest) => {
  const kind = kindOf(pageRequest);
  const cursor = pageRequest.query.get('cursor') ?? '';
  const { items, nextCursor } = await pageRequest.management.get(kind.apiPath, ImportPage, { limit: '50', cursor });
  const isOver = !items.some(isRunning);
  const own = ownPath(pageRequest);
  const list = {
    isOver,
    content: (
      <div class="card">
        {items.length > 0 ? (
          <DataTable caption="Imports" columns={columnsOf(pageRequest, kind)} rows={items} keyOf={({ id }) => id} />
        ) : (
          <Empty title={`No import of ${kind.name} yet`}>
            Import files with a command, or upload them to the import bucket. Imports are listed for 90 days.
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
    'Imports',
    <>
      <PageHead title="Imports" lead={`Imported files of ${kind.name} and their rejected lines, newest first.`} />
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
      <a href={ownPath(pageRequest, encodeURIComponent(id))} title={key}>
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
    <section class="card pad stack">
      <h2>How to import {kind.name}</h2>
      <Code id="command" text={importCommand(kind, pageRequest.tenant)} label="The command that imports a file" />
      <p class="hint">
        {kind.name === 'records' ? 'The type is businesses, products or properties. ' : 'GeoJSON works too. '}A file is
        NDJSON or CSV, plain or gzip. The optional map renames columns. For a deployed service add <code>--stage</code>.
        A line with an existing id replaces that {kind.one}.
      </p>
    </section>
  );
}

/** One import with its progress and rejected lines. */
export const importScreen: Screen = async (pageRequest) => {
  const kind = kindOf(pageRequest);
  const job = await pageRequest.management.get(apiPathOf(kind, pageRequest.path['id']), ImportDetails);
  const isOver = !isRunning(job);
  const progress = { isOver, content: <ImportProgress job={job} kind={kind} /> };
  return page(
    job.name,
    <>
      <PageHead title={job.name} lead={<span class="mono">{job.key}</span>} under={[ownPath(pageRequest), 'Imports']} />
      <div class="stack">
        <Live name="progress" part={progress} reloadsAtEnd saysState />
        <FollowLink isOver={isOver} />
        <Rejected pageRequest={pageRequest} job={job} />
      </div>
    </>,
    { live: { progress } },
  );
};

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
          'Lines read': countText(lines),
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
}

function Rejected({ pageRequest, job }: RejectedProps) {
  const { rejected, rejections, rejectionsUrls = [] } = job;
  if (rejected === 0) return null;
  const own = ownPath(pageRequest, `${encodeURIComponent(job.id)}/rejections`);
  return (
    <section class="card">
      <div class="head">
        <h2>Rejected lines</h2>
        <div class="row">
          {rejectionsUrls.map((_, index) => (
            <a key={index} class="button small" href={`${own}/${index + 1}`}>
              {rejectionsUrls.length === 1 ? 'Download all' : `File ${index + 1}`}
            </a>
          ))}
        </div>
      </div>
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
          The first {countText(rejections.length)} of {countText(rejected)} are shown.
        </p>
      )}
    </section>
  );
}

const REJECTION_COLUMNS: readonly Column<Rejection>[] = [
  { title: 'Line', cell: ({ line }) => countText(line), class: 'strong nowrap', onPhone: 'first' },
  { title: 'Reason', cell: ({ reason }) => reason },
];

/** Redirects to a report of rejected lines, by a new presigned link. */
export const rejectionsFile: Screen = async (pageRequest) => {
  const { rejectionsUrls = [] } = await pageRequest.management.get(
    apiPathOf(kindOf(pageRequest), pageRequest.path['id']),
    ImportDetails,
  );
  const url = rejectionsUrls[Number(pageRequest.path['number']) - 1];
  if (url === undefined) throw missing();
  return seeOther(url);
};
