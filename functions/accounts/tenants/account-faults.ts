import { type ManagementCaller, requireOperator } from '#shared/auth/management-caller';
import { type FaultyCall, moreFaults } from '#shared/http/more-faults';
import {
  AccountChange,
  type Accounts,
  accountExists,
  isErased,
  NewAccount,
  requireFreeCurrency,
  requireId,
} from './account.ts';

/** The checks of a creation besides the schema. Only operators learn which accounts there are. */
export const newAccountFaults = (accounts: Pick<Accounts, 'byId'>) =>
  moreFaults(
    NewAccount.pick({ name: true }).partial(),
    ({ name }, { caller }: FaultyCall<ManagementCaller, undefined>) => {
      requireOperator(caller);
      return [
        async () => {
          const id = name === undefined ? undefined : requireId(name);
          if (id !== undefined && (await accounts.byId(id))) throw accountExists(id);
        },
      ];
    },
  );

type ChangeCall = FaultyCall<ManagementCaller, { readonly id: string }>;

/** The checks of a change besides the schema. */
export const accountChangeFaults = (accounts: Pick<Accounts, 'byId'>) =>
  moreFaults(AccountChange, (sound, { caller, path }: ChangeCall) => {
    requireOperator(caller);
    return [
      async () => {
        const seen = await accounts.byId(path.id);
        if (seen && !isErased(seen)) requireFreeCurrency(seen, sound);
      },
    ];
  });
