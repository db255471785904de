import { Badge } from '../components/badge.tsx';
import { LinkButton } from '../components/button.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { FollowLink, Live } from '../components/live.tsx';
import { Card, Empty, Facts, Note, PageHead, Progress } from '../components/page-parts.tsx';
import { bytesText, countOf, countText } from '../components/quantities.ts';
import { ShortId } from '../components/short-id.tsx';
import { Time } from '../components/time.tsx';
import { type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { typeLabel } from '../search/search-query.ts';
import { type Download, DownloadDetails, type DownloadFile, DownloadPage, FileLink } from './download-answers.ts';
import { DownloadChart } from './download-chart.tsx';
import { apiPathOf, ownPathOf } from './download-paths.ts';
import { filePage, isOver, isPastExpiry } from './download-state.ts';

/** The downloads of all tokens of a tenant. */
export const downloadList: Screen = async (pageRequest) => {
  const cursor = pageRequest.query.get('cursor') ?? '';
  const { items, nextCursor } = await pageRequest.management.get('requests', DownloadPage, { limit: '50', cursor });
  const allOver = items.every(isOver);
  const search = <LinkButton kind="primary" label="Search records" href={screenPath(pageRequest, 'search')} />;
  const list = {
    isOver: allOver,
    content: (
      <div class="card">
        {items.length > 0 ? (
          <DataTable caption="Downloads" columns={columnsOf(pageRequest)} rows={items} keyOf={({ id }) => String(id)} />
        ) : (
          <Empty title="No download yet" acts={search}>
            Search for records, preview the first ten, and download all that match.
          </Empty>
        )}
        <Pager
          newest={cursor === '' ? undefined : screenPath(pageRequest, 'downloads')}
          older={nextCursor && screenPath(pageRequest, 'downloads', { cursor: nextCursor })}
        />
      </div>
    ),
  };
  return page(
    'Downloads',
    <>
      <PageHead title="Downloads" lead="Exports of search results, kept for 7 days.">
        {items.length > 0 && search}
      </PageHead>
      <div class="stack">
        {cursor === '' && <DownloadChart downloads={items} isMore={nextCursor !== undefined} now={pageRequest.now} />}
        <Live name="list" part={list} />
        <FollowLink isOver={allOver} />
      </div>
    </>,
    { live: { list } },
  );
};

const columnsOf = (pageRequest: PageRequest): readonly Column<Download>[] => [
  { title: 'Status', cell: (download) => <Status download={download} />, onPhone: 'first' },
  {
    title: 'Query',
    isRowHeader: true,
    class: 'strong clip',
    onPhone: 'first',
    cell: ({ id, query }) => (
      <a class="mono" href={ownPathOf(pageRequest, id)} title={query}>
        {query}
        <span class="hidden"> (download {id})</span>
      </a>
    ),
  },
  { title: 'Records', cell: ({ type }) => typeLabel(type), onPhone: 'first' },
  { title: 'View', cell: ({ view }) => view, class: 'clip', from: 1_200, onPhone: 'gone' },
  { title: 'Format', cell: ({ format }) => format.toUpperCase(), onPhone: 'second' },
  {
    title: 'Delivered',
    isRight: true,
    class: 'nowrap',
    onPhone: 'second',
    cell: ({ downloaded, requested }) => `${countText(downloaded)} of ${countText(requested)}`,
  },
  { title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} />, isRight: true, onPhone: 'second' },
];

function Status({ download }: { readonly download: Download }) {
  if (!isOver(download)) return <Badge tone="info" icon="clock" label="In progress" />;
  if (download.error !== '') return <Badge tone="warn" icon="warning" label="Incomplete" />;
  return <Badge tone="ok" icon="check" label="Completed" />;
}

/** One download with its progress and files. */
export const downloadScreen: Screen = async (pageRequest) => {
  const after = pageRequest.query.get('after') ?? '';
  const path = apiPathOf(pageRequest.path['id']);
  const download = await pageRequest.management.get(path, DownloadDetails, { filesAfter: after });
  const over = isOver(download);
  const progress = {
    isOver: over,
    content: <DownloadProgress pageRequest={pageRequest} download={download} after={after} />,
  };
  const { type, query, view } = download;
  return page(
    'Download',
    <>
      <PageHead
        title={`Download of ${type}`}
        lead={<code>{query}</code>}
        under={[screenPath(pageRequest, 'downloads'), 'Downloads']}
      >
        <LinkButton label="Search again" href={screenPath(pageRequest, 'search', { type, q: query, view })} />
      </PageHead>
      <div class="beside">
        <div class="stack">
          <Live name="progress" part={progress} saysState />
          <FollowLink isOver={over} />
        </div>
        <Card title="Details">
          <Facts
            facts={{
              Id: <code>{download.id}</code>,
              View: view,
              Format: download.format.toUpperCase(),
              Found: countText(download.found),
              Ordered: countText(download.requested),
              'Charged to': (
                <a class="mono" href={screenPath(pageRequest, 'keys/data-tokens')} title={download.tokenId}>
                  <ShortId id={download.tokenId} />
                </a>
              ),
              Started: <Time at={download.startedAt} />,
            }}
          />
        </Card>
      </div>
    </>,
    { live: { progress } },
  );
};

interface ProgressedProps {
  readonly pageRequest: PageRequest;
  readonly download: DownloadDetails;
  /** The number of the last file of the previous page; empty on the first page. */
  readonly after: string;
}

function DownloadProgress({ pageRequest, download, after }: ProgressedProps) {
  const { downloaded, requested, error, credits, completedAt, progressedAt } = download;
  const { files, nextAfter } = filePage(download);
  const own = ownPathOf(pageRequest, download.id);
  return (
    <div class="stack">
      <section class="card pad stack">
        <div class="head">
          <Status download={download} />
          <span class="muted">
            {completedAt === undefined ? 'Last file ' : 'Ended '}
            <Time at={completedAt ?? progressedAt} />
          </span>
        </div>
        <Progress done={downloaded} all={requested} label="Records written" />
        <p>
          <strong>{countText(downloaded)}</strong> of {countOf(requested, 'record')} written, for{' '}
          {countOf(credits, 'credit')}
        </p>
        {error !== '' && <Note tone="warn">{error}</Note>}
      </section>
      <section class="card">
        <div class="head">
          <h2>Files</h2>
        </div>
        {files.length > 0 ? (
          <DataTable
            caption="List of files"
            columns={fileColumns(pageRequest, download)}
            rows={files}
            keyOf={({ number }) => String(number)}
          />
        ) : (
          <NoFiles pageRequest={pageRequest} download={download} />
        )}
        <Pager
          newest={after === '' ? undefined : own}
          older={nextAfter === undefined ? undefined : `${own}?after=${nextAfter}`}
          label="Next files"
        />
      </section>
    </div>
  );
}

function NoFiles({ pageRequest, download }: { readonly pageRequest: PageRequest; readonly download: Download }) {
  if (!isOver(download)) return <Empty title="No file yet">The first file will be ready shortly.</Empty>;
  if (isPastExpiry(download, pageRequest.now)) {
    return <Empty title="The files have expired">Files are kept for 7 days. Search again for a new download.</Empty>;
  }
  return <Empty title="No files">This page has no files.</Empty>;
}

const fileColumns = (pageRequest: PageRequest, { id }: Download): readonly Column<DownloadFile>[] => [
  { title: 'File', class: 'strong middle', onPhone: 'first', cell: ({ number }) => `File ${number}` },
  {
    title: 'Records',
    class: 'middle',
    isRight: true,
    onPhone: 'first',
    cell: ({ number, records }) => (
      <a href={`${ownPathOf(pageRequest, id)}/files/${number}/records`}>
        {countOf(records, 'record')}
        <span class="hidden"> of file {number}</span>
      </a>
    ),
  },
  {
    title: 'Size',
    class: 'middle',
    isRight: true,
    onPhone: 'first',
    cell: ({ bytes }) => (bytes === undefined ? '–' : bytesText(bytes)),
  },
  {
    title: 'Expires',
    class: 'middle',
    isRight: true,
    onPhone: 'second',
    cell: ({ expiresAt }) => <Time at={expiresAt} />,
  },
  {
    title: 'Download',
    isRight: true,
    onPhone: 'second',
    cell: ({ number }) => (
      <a class="button small" href={`${ownPathOf(pageRequest, id)}/files/${number}`}>
        Download
        <span class="hidden"> file {number}</span>
      </a>
    ),
  },
];

/** Redirects to a new presigned link. Creating one changes nothing, so a GET may do it. */
export const fetchFile: Screen = async ({ management, path }) => {
  const number = encodeURIComponent(path['number'] ?? '');
  const { url } = await management.send({ method: 'POST', path: `${apiPathOf(path['id'])}/files/${number}` }, FileLink);
  return seeOther(url);
};
