import { expect, it } from 'vitest';
import { CAMPAIGNS } from '../../../functions/console/campaigns/campaign-form.ts';
import { LOCALES } from '../../../functions/images/receipts/locales.ts';

it('the form of a campaign names the countries whose receipts are decided automatically', () => {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const tested = Object.entries(LOCALES).flatMap(([country, locale]) =>
    locale.decidesAlone ? [names.of(country)] : [],
  );
  expect(tested.length).toBeGreaterThan(0);
  const hint = JSON.stringify(CAMPAIGNS.sections);
  expect(hint).toContain(`Tested so far: ${tested.join(', ')}.`);
});
