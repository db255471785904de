import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SCREENS } from '../../../functions/console/serving/screens.ts';
import { maySubmit } from '../../../functions/console/sessions/session.ts';

const actions = Object.keys(SCREENS)
  .filter((route) => route.startsWith('POST '))
  .map((route) => route.slice('POST '.length).replaceAll(/\{\w+\}/g, 'x'));
const offeredTo = (role: 'viewer' | 'reviewer' | 'admin' | undefined) =>
  actions.filter((action) => maySubmit({ isOperator: false, role }, action)).sort();

const OWN = [
  '/console/password',
  '/console/second-factor',
  '/console/second-factor/confirm',
  '/console/second-factor/off',
];
const REVIEWS = ['claim', 'examine', 'release', 'review'].map((act) => `/console/t/x/images/x/${act}`);

describe('the forms of the console', () => {
  it('are offered to viewers for their own sign-in only, and to reviewers for reviews too', () => {
    expect(offeredTo('viewer')).toEqual(OWN);
    expect(offeredTo(undefined)).toEqual(OWN);
    expect(offeredTo('reviewer')).toEqual([...OWN, '/console/t/x/images/next', ...REVIEWS].sort());
    expect(offeredTo('admin')).toEqual(actions.toSorted());
    expect(maySubmit({ isOperator: true }, '/console/accounts/x')).toBe(true);
    expect(maySubmit({ isOperator: false }, '/console/sign-out')).toBe(true);
  });

  it('have no links for those to whom they are not offered', () => {
    const css = readFileSync(new URL('../../../functions/console/assets/console.css', import.meta.url), 'utf8');
    const [, rule = ''] = /\.limited\s+main\s+a:is\(([^)]*)\)/.exec(css) ?? [];
    const hidden = [...rule.matchAll(/\[href[$*]=["']([^"']+)["']\]/g)].map(([, end = '']) => end);
    expect(hidden.length).toBeGreaterThan(5);
    const offered = offeredTo('reviewer');
    // Pages that only ask: they have a path of their own, which ends in a verb, and a form for the same path.
    const asking = actions.filter((action) => {
      const isPage = Object.hasOwn(SCREENS, `GET ${routeOf(action)}`);
      return isPage && /\/[a-z-]{2,}$/.test(action) && !offered.includes(action) && action.includes('/t/x/');
    });
    const plain = ['/keys', '/spend-cap'];
    const missing = asking.filter((action) => ![...hidden, ...plain].some((end) => action.endsWith(end)));
    expect(missing).toEqual([]);
  });
});

const routeOf = (action: string) =>
  Object.keys(SCREENS)
    .map((route) => route.split(' ')[1] ?? '')
    .find((path) => path.replaceAll(/\{\w+\}/g, 'x') === action) ?? '';
