import { SUMMARIES } from '../management/form-calls.ts';
import type { Line } from './audit-answers.ts';

/** Changes that no form of the console makes. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['accounts.payment-events.create', 'Record a payment event'],
  ['api-configurations.change', 'Change an API configuration'],
  ['imports.preview.create', 'Preview an import of records'],
  ['loyalty.ad-units.replace', 'Replace an ad unit'],
  ['loyalty.campaigns.replace', 'Replace a campaign'],
  ['loyalty.imports.preview.create', 'Preview an import of places'],
  ['loyalty.places.replace', 'Replace a place'],
  ['password.replace', 'Change one’s own password'],
  ['requests.files.create', 'Create a link to a file of a download'],
  ['rules.change', 'Change a rule'],
  ['rules.preview.create', 'Preview the payload of a rule'],
  ['second-factor.create', 'Set up an authenticator app'],
  ['second-factor.delete', 'Remove an authenticator app'],
]);

/** Changes of one field, where its name says more than the action. */
const OF_ONE_FIELD: ReadonlyMap<string, string> = new Map([
  ['people.change active false', 'Disable a person'],
  ['people.change active true', 'Enable a person'],
  ['people.change role', 'Change the role of a person'],
  ['people.change name', 'Change the name of a person'],
  ['accounts.change active false', 'Suspend an account'],
  ['accounts.change active true', 'Resume an account'],
]);

const VERBS: Readonly<Record<string, string>> = {
  create: 'Create',
  replace: 'Replace',
  change: 'Change',
  delete: 'Delete',
};

const NO_FIELDS: Pick<Line, 'fields' | 'values'> = { fields: [], values: {} };

/** All actions with their words, in the order of the words. */
export const ACTIONS: readonly (readonly [action: string, words: string])[] = [...SUMMARIES, ...OTHERS].toSorted(
  ([, one], [, other]) => one.localeCompare(other),
);

/**
 * An action in words: `runs.replay.create` is "Replay a failed run". One of a former version is named by its path:
 * `events.create` is "Create events".
 */
export function actionText(action: string, { fields, values }: Pick<Line, 'fields' | 'values'> = NO_FIELDS): string {
  const [field = '', another] = fields;
  const ofOne = another === undefined ? [`${action} ${field}`, `${action} ${field} ${values[field]}`] : [];
  const special = ofOne.map((one) => OF_ONE_FIELD.get(one)).find((words) => words !== undefined);
  const summary = special ?? SUMMARIES.get(action) ?? OTHERS.get(action);
  if (summary !== undefined) return summary;
  const parts = action.split('.');
  const verb = VERBS[parts.at(-1) ?? ''];
  const names = verb === undefined ? parts : parts.slice(0, -1);
  const thing = names.map((name) => name.replaceAll('-', ' ').replace(/^api\b/, 'API')).join(' › ');
  return verb === undefined ? thing : `${verb} ${thing}`;
}

/** The fields that a change states, each with its value if the log has it: `points 25, name`. */
export const fieldsText = ({ fields, values }: Pick<Line, 'fields' | 'values'>): string =>
  fields.map((name) => (values[name] === undefined ? name : `${name} ${values[name]}`)).join(', ');

/** The target of a change: the members of the path, and the id that was created. */
export const targetText = ({ target, createdId }: Pick<Line, 'target' | 'createdId'>): string =>
  [...Object.values(target), ...(createdId === null ? [] : [createdId])].join(' › ');

export const PERIODS = [
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['', 'Last 400 days'],
] as const;

const DAY_MILLIS = 86_400_000;

/** Returns the begin of a period; undefined for the whole log. */
export function beginOf(period: string, now: number): string | undefined {
  const days = PERIODS.find(([value]) => value === period)?.[0];
  return days ? new Date(now - Number(days) * DAY_MILLIS).toISOString() : undefined;
}

const ACTION = /^[a-z0-9.-]{1,100}$/;

/** Returns whether the API accepts this text as an action. If not, it is left out of the query, and the page says so. */
export const isAction = (text: string): boolean => ACTION.test(text);
