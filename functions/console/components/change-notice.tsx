import { Note } from './page-parts.tsx';
import { useView } from './view.ts';

const NOTICES = {
  cancelled: 'Cancelled.',
  deleted: 'Deleted.',
  ended: 'The campaign has ended.',
  erasing: 'The erasure has started.',
  released: 'Released. Others can review it.',
  replayed: 'The replay has started.',
  revoked: 'Revoked.',
  reviewed: 'The review is saved.',
  saved: 'Saved.',
  started: 'Started.',
} as const;

/** The query of a redirect after a change, which the page that it leads to says in words. */
export const noticeOf = (notice: keyof typeof NOTICES) => ({ notice });

/** A notice of the change that led to this page, if the address names one: `?notice=…`, or `?saved=1` after a form. */
export function ChangeNotice() {
  const { url } = useView();
  const query = new URLSearchParams(url.split('?')[1]);
  const notice = query.get('saved') === '1' ? 'saved' : (query.get('notice') ?? '');
  if (!Object.hasOwn(NOTICES, notice)) return null;
  return (
    <div class="spaced" data-notice>
      <Note tone="ok">{NOTICES[notice as keyof typeof NOTICES]}</Note>
    </div>
  );
}
