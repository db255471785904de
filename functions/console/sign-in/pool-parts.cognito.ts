import { forgottenPasswords } from './forgotten-passwords.cognito.ts';
import { passwords } from './passwords.cognito.ts';
import { people } from './people.cognito.ts';
import { secondFactors } from './second-factor.cognito.ts';
import type { ManagersPool } from './user-pool.cognito.ts';

/** All that the console does with the user pool. */
export const poolParts = (pool: ManagersPool) => ({
  people: people(pool),
  secondFactors: secondFactors(pool),
  passwords: passwords(pool),
  forgotten: forgottenPasswords(pool),
});
