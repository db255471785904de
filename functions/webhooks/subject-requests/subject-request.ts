import type { TenantKey } from '#shared/ids';
import { isoTime } from '#shared/timestamp';

/** Of the id of a subject request, as of any record that an event is about. */
export const RECORD_ID_CHARACTERS_MAX = 200;

/** The state of a data subject request, as its newest event tells it. */
export interface SubjectRequest extends TenantKey {
  /** The event's `status`; absent if it had none. */
  readonly status?: string;
  readonly trigger: string;
  /** When the request was changed. */
  readonly updatedAt: string;
  /** The runs that the event fired. */
  readonly runs: readonly string[];
  readonly eventId: string;
  /** When it happened, in milliseconds since 1970; the order of a request's events. */
  readonly eventAt: number;
}

export interface SubjectRequests {
  /** Stores the state, unless that of a newer event is stored. May be repeated. */
  note(request: SubjectRequest): Promise<void>;
  byId(key: TenantKey): Promise<SubjectRequest | undefined>;
}

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
