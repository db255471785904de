import { LinkButton } from '../components/button.tsx';
import { DataTable, Pager } from '../components/data-table.tsx';
import { Empty, PageHead } from '../components/page-parts.tsx';
import { page, type Screen } from '../pages/screen.ts';
import { recordColumns } from '../search/record-columns.tsx';
import { idOf } from '../search/record-display.ts';
import { DownloadDetails, FileRecords } from './download-answers.ts';
import { apiPathOf, ownPathOf } from './download-paths.ts';

/** The records on a page. */
const LINES = '25';

/** The records of one file of a download, page by page. */
export const fileRecords: Screen = async (pageRequest) => {
  const { management, path, query } = pageRequest;
  const number = path['number'] ?? '';
  const cursor = query.get('cursor') ?? '';
  const api = apiPathOf(path['id']);
  const [{ items, nextCursor }, { id, type, view, query: q, files }] = await Promise.all([
    management.get(`${api}/files/${encodeURIComponent(number)}/records`, FileRecords, { limit: LINES, cursor }),
    management.get(api, DownloadDetails, { filesAfter: number }),
  ]);
  const own = ownPathOf(pageRequest, id);
  const pathOf = (file: number | string) => `${own}/files/${file}/records`;
  const [nextFile] = files;
  const next = nextCursor === undefined ? undefined : `${pathOf(number)}?cursor=${encodeURIComponent(nextCursor)}`;
  return page(
    `File ${number}`,
    <>
      <PageHead title={`Records of file ${number}`} lead={<code>{q}</code>} under={[own, `Download of ${type}`]}>
        {nextFile && <LinkButton label="Next file" href={pathOf(nextFile.number)} />}
        <LinkButton label="Download this file" href={`${own}/files/${number}`} />
      </PageHead>
      <section class="card">
        {items.length > 0 ? (
          <DataTable
            caption="Records"
            columns={recordColumns(pageRequest, { type, view }, items)}
            rows={items}
            keyOf={idOf}
          />
        ) : (
          <Empty title="No records">This file has no records.</Empty>
        )}
        <Pager
          newest={cursor === '' ? undefined : pathOf(number)}
          older={next}
          label="Next records"
          firstLabel="First records"
        />
      </section>
    </>,
  );
};
