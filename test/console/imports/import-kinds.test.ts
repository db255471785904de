import { describe, expect, it } from 'vitest';
import { importCommand, kindsFor } from '../../../functions/console/imports/import-kinds.ts';

const names = (isOperator: boolean) => kindsFor({ isOperator }).map(({ name }) => name);

describe('imports', () => {
  it('of records, which belong to no tenant, are shown to operators only', () => {
    expect(names(true)).toEqual(['records', 'places']);
    expect(names(false)).toEqual(['places']);
  });

  it('of places are made for the tenant whose screen it is', () => {
    const [places] = kindsFor({ isOperator: false });
    expect(places && importCommand(places, 'acme-inc')).toContain('--type places --tenant acme-inc');
  });
});
