import { REPLAYS_MAX } from '#shared/replay-limit';
import { ManagementFailure } from '../management/management.ts';

/** The query parameter of the log after a form in which no run was selected. */
export const NONE_SELECTED = 'none-selected';

/** The most runs of one form: those of a page of the log. */
export const SELECTED_MAX = 100;

/** A selected run with the replay that was made of it, or with the code of the refusal. */
export type SelectedReplay =
  | { readonly id: string; readonly replay: string }
  | { readonly id: string; readonly refused: string };

/** Returns the members of an address that hold the outcomes. */
export const outcomesAddress = (outcomes: readonly SelectedReplay[]) => ({
  made: outcomes.flatMap((one) => ('replay' in one ? [`${one.id}.${one.replay}`] : [])).join(','),
  refused: outcomes.flatMap((one) => ('refused' in one ? [`${one.id}.${one.refused}`] : [])).join(','),
});

/** Reads the outcomes from an address. */
export function outcomesIn(query: URLSearchParams): SelectedReplay[] {
  const pairs = (name: string) =>
    (query.get(name) ?? '')
      .split(',')
      .slice(0, SELECTED_MAX)
      .flatMap((pair) => {
        const [, id = '', other = ''] = /^([\w-]+)\.([\w-]+)$/.exec(pair) ?? [];
        return id === '' ? [] : [[id, other] as const];
      });
  return [
    ...pairs('refused').map(([id, refused]) => ({ id, refused })),
    ...pairs('made').map(([id, replay]) => ({ id, replay })),
  ];
}

/** The code of a call whose outcome is not known. */
const UNKNOWN = 'unknown';

/** The code of a refusal, for the address. */
export const refusalOf = (failure: unknown): string => {
  if (!(failure instanceof ManagementFailure) || failure.status === 401) throw failure;
  return failure.status >= 500 ? UNKNOWN : failure.code;
};

const REFUSALS: Readonly<Record<string, string>> = {
  'is-replay': 'It is a replay. Replay the original run.',
  'not-failed': 'It has not failed.',
  resolved: 'A replay has already succeeded.',
  'replay-in-progress': 'It is being replayed already.',
  'replays-spent': `It was replayed ${REPLAYS_MAX} times.`,
  'configuration-missing': 'Its API configuration no longer exists.',
  'configuration-disabled': 'Its API configuration is disabled.',
  'payload-missing': 'Its payload was too large to be stored.',
  'api-integration-off': 'API integration is off for this account.',
  'account-suspended': 'The account is suspended.',
  'not-found': 'It no longer exists.',
  [UNKNOWN]: 'The service did not answer. Look at the run before you replay it again.',
};

/** The reason why a run was not replayed, in words. */
export const refusalWords = (code: string): string =>
  (Object.hasOwn(REFUSALS, code) && REFUSALS[code]) || 'The service refused to replay it.';
