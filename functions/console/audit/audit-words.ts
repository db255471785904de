import { SUMMARIES } from '../management/form-calls.ts';
import type { Line } from './audit-answers.ts';

const VERBS: Readonly<Record<string, string>> = {
  create: 'Create',
  replace: 'Replace',
  change: 'Change',
  delete: 'Delete',
};

/**
 * An action in words: `runs.replay.create` is "Replay a failed run". One that no form of the console has is named by its
 * path: `events.create` is "Create events".
 */
export function actionText(action: string): string {
  const summary = SUMMARIES.get(action);
  if (summary !== undefined) return summary;
  const parts = action.split('.');
  const verb = VERBS[parts.at(-1) ?? ''];
  const names = verb === undefined ? parts : parts.slice(0, -1);
  const thing = names.map((name) => name.replaceAll('-', ' ').replace(/^api\b/, 'API')).join(' › ');
  return verb === undefined ? thing : `${verb} ${thing}`;
}

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
