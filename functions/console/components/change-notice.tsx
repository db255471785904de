import { Note } from './page-parts.tsx';
import { useView } from './view.ts';

const NOTICES = {
  cancelled: 'Cancelled.',
  'cap-saved': 'Cap saved.',
  created: 'Created.',
  deleted: 'Deleted.',
  ended: 'The campaign has ended.',
  erasing: 'The erasure has started.',
  'plan-changed': 'Plan changed.',
  'plan-scheduled': 'The change is scheduled. The present plan stays until then.',
  released: 'Released. Others can review it.',
  replayed: 'The replay has started.',
  retrying: 'The next attempt begins now.',
  revoked: 'Revoked.',
  reviewed: 'The review is saved.',
  saved: 'Saved.',
  'signed-out': 'The person is signed out everywhere.',
  started: 'Started.',
} as const;

export type Notice = keyof typeof NOTICES;

/** The query of a redirect after a change, which the page that it leads to says in words. */
export const noticeOf = (notice: Notice) => ({ notice });

/** A path without a query, with that of the notice. */
export const withNotice = (path: string, notice: Notice): string => `${path}?${new URLSearchParams(noticeOf(notice))}`;

/** A notice of the change that led to this page, if the address names one: `?notice=…`. */
export function ChangeNotice() {
  const { url } = useView();
  const query = new URLSearchParams(url.split('?')[1]);
  const notice = query.get('notice') ?? '';
  if (!Object.hasOwn(NOTICES, notice)) return null;
  return (
    <div class="spaced" data-notice>
      <Note tone="ok">{NOTICES[notice as Notice]}</Note>
    </div>
  );
}
