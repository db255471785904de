import { describe, expect, it } from 'vitest';
import { DOMAIN_NAMES } from '../../../cdk/settings.ts';
import { KEY_KINDS } from '../../../functions/console/keys/key-kinds.ts';
import { callOf, FORM_CALLS, needsOperator } from '../../../functions/console/management/form-calls.ts';
import { SCREENS } from '../../../functions/console/serving/screens.ts';
import { ROUTE_ROLES } from '../../../functions/edge/route-roles.ts';
import { GROUPS } from '../../../functions/reference/documents/groups.ts';
import { pageAt } from '../../../functions/reference/pages/page-at.ts';
import type { Operation } from '../../../shared/http/operation.ts';
import { isDescribedBody } from '../../support/contract/described-calls.ts';

const PEOPLE_DO_IT = 'The password and the authenticator app belong to the person, whom no key replaces.';
const PART_OF_A_FORM = 'The form of the upload has the calls of its steps.';
/** Forms for which no call of the management API stands. */
const WITHOUT_CALL: Readonly<Record<string, string>> = {
  '/console/password': PEOPLE_DO_IT,
  '/console/second-factor': PEOPLE_DO_IT,
  '/console/second-factor/confirm': PEOPLE_DO_IT,
  '/console/second-factor/off': PEOPLE_DO_IT,
  '/console/imports/-/uploads': PART_OF_A_FORM,
  '/console/imports/-/mapping': PART_OF_A_FORM,
  '/console/t/{tenant}/imports/-/uploads': PART_OF_A_FORM,
  '/console/t/{tenant}/imports/-/mapping': PART_OF_A_FORM,
  '/console/t/{tenant}/images/-/uploads': PART_OF_A_FORM,
  '/console/t/{tenant}/images/-/submitted': PART_OF_A_FORM,
  '/console/t/{tenant}/rules/preview': 'It shows what the form of the rule would send, and changes nothing.',
};

/** The paths of all forms; those of credentials once for each kind. */
const actions = Object.keys(SCREENS)
  .filter((route) => route.startsWith('POST '))
  .map((route) => route.slice('POST '.length))
  .flatMap((path) => (path.includes('{kind}') ? KEY_KINDS.map(({ name }) => path.replace('{kind}', name)) : [path]));

const operations = new Map<string, Operation>(
  Object.values(GROUPS)
    .flat()
    .flatMap((group) => Object.entries(group.operations)),
);
const reference = pageAt('/docs/management', DOMAIN_NAMES) ?? '';
const withoutNames = (route: string) => route.replaceAll(/\{\w+\}/g, '{}');

describe('the forms of the console', () => {
  it.each(actions)('%s has the call that does the same, or a reason why there is none', (action) => {
    expect(Object.hasOwn(FORM_CALLS, action)).toBe(!Object.hasOwn(WITHOUT_CALL, action));
  });

  it('are all that have a call or a reason', () => {
    expect(
      [...Object.keys(FORM_CALLS), ...Object.keys(WITHOUT_CALL)].filter((path) => !actions.includes(path)),
    ).toEqual([]);
  });
});

describe.each(Object.entries(FORM_CALLS))('the call of the form at %s', (action, call) => {
  const operation = operations.get(call.operation);

  it('is an operation of the contract, with its name and a place in the reference', () => {
    expect(withoutNames(`${call.method} /manage/v1/${call.path}`)).toBe(withoutNames(operation?.route ?? ''));
    expect(call.summary).toBe(operation?.summary);
    expect(reference).toContain(` id="${call.operation}"`);
  });

  it('has a body that the contract accepts, where it takes one', () => {
    expect(call.body === undefined).toBe(operation?.body === undefined);
    if (operation?.body) expect(isDescribedBody(operation.route, call.body)).toBe(true);
  });

  it('needs an operator where the route does', () => {
    expect(needsOperator(call)).toBe(ROUTE_ROLES.get(operation?.route ?? '') === 'operator');
  });

  it('takes its ids from the path of the form', () => {
    const path = action.replaceAll(/\{(\w+)\}/g, 'the-$1');
    const expected = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      action.includes(`{${name}}`) ? `the-${name}` : name.toUpperCase(),
    );
    expect(callOf(path)?.path).toBe(expected);
  });
});

describe('a form of the person alone', () => {
  it('has no call', () => {
    const own = Object.entries(WITHOUT_CALL).flatMap(([path, reason]) => (reason === PEOPLE_DO_IT ? [path] : []));
    expect([...own, '/console/sign-out'].map(callOf).filter(Boolean)).toEqual([]);
  });
});
