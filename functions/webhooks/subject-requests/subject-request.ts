import { isoTime } from '#shared/formats/timestamp';
import type { TenantKey } from '#shared/ids';

/** The most characters of a record id in an event. */
export const RECORD_ID_CHARACTERS_MAX = 200;

/** The state of a data subject request, from its newest event. */
export interface SubjectRequest extends TenantKey {
  /** The event's `status`; absent if it had none. */
  readonly status?: string;
  readonly trigger: string;
  /** The time at which the request was changed, as ISO 8601. */
  readonly updatedAt: string;
  /** The runs that the event fired. */
  readonly runs: readonly string[];
  readonly eventId: string;
  /** The time of the event, in milliseconds since 1970: it orders the events of a request. */
  readonly eventAt: number;
}

/** Stores the state, unless that of a newer event is stored. It is idempotent. */
export type NoteSubjectRequest = (request: SubjectRequest, now: number) => Promise<void>;

/** The subject request as the management API shows it. */
export const presentSubjectRequest = ({ id, status, trigger, updatedAt, runs, eventId, eventAt }: SubjectRequest) => ({
  id,
  status: status ?? null,
  trigger,
  updatedAt,
  eventId,
  eventTime: isoTime(eventAt),
  runs,
});
