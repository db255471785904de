import { describe, expect, it } from 'vitest';
import { page } from '../../../functions/console/pages/screen.ts';
import { Router } from '../../../functions/console/serving/router.ts';
import { SCREENS } from '../../../functions/console/serving/screens.ts';

const screen = () => page('', '');
const router = new Router({
  'GET /console/t/{tenant}/runs/new': screen,
  'GET /console/t/{tenant}/runs/{id}': screen,
  'POST /console/t/{tenant}/runs/{id}/replay': screen,
});

describe('the router', () => {
  it('finds the screen of a path with its values, decoded', () => {
    expect(router.match('GET', '/console/t/acme/runs/run_%2F%C3%A9')).toMatchObject({
      route: 'GET /console/t/{tenant}/runs/{id}',
      path: { tenant: 'acme', id: 'run_/é' },
    });
  });

  it('prefers the screen that stands first, and does not care about a slash at the end', () => {
    expect(router.match('GET', '/console/t/acme/runs/new/')?.route).toBe('GET /console/t/{tenant}/runs/new');
  });

  it.each([
    ['GET', '/console/t/acme/runs'],
    ['GET', '/console/t//runs/x'],
    ['GET', '/console/t/acme/runs/a/b'],
    ['GET', '/console/t/acme/runs/%E0%A4'],
    ['POST', '/console/t/acme/runs/run_1'],
    ['DELETE', '/console/t/acme/runs/run_1'],
    ['GET', '/'],
    ['GET', ''],
  ])('finds nothing at %s %s', (method, path) => {
    expect(router.match(method, path)).toBeUndefined();
  });

  it('reaches every screen that there is', () => {
    const all = new Router(SCREENS);
    for (const route of Object.keys(SCREENS)) {
      const [method = '', path = ''] = route.split(' ');
      expect(all.match(method, path.replaceAll(/\{\w+\}/g, 'some-id'))?.route).toBe(route);
    }
  });
});
