import { expect, it } from 'vitest';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { overview } from '../../../functions/console/overview/overview.screen.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

it('the overview of a suspended account fails as a whole, so that one page says why', async () => {
  const failure = new ManagementFailure({ status: 403, code: 'account-suspended', detail: 'Suspended.' });
  const answers = { 'GET runs': failure, 'GET usage': failure, 'GET image-validations': failure };
  await expect(renderedScreen(overview, { answers })).rejects.toMatchObject({ code: 'account-suspended' });
});
