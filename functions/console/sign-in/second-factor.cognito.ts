import type { SecondFactors } from '../sessions/second-factor.ts';
import type { Tokens } from '../sessions/session.ts';
import { cognito, type ManagersPool, ownAccessToken } from './user-pool.cognito.ts';

/** The errors for a wrong, expired or malformed code. */
const WRONG_CODE = new Set(['EnableSoftwareTokenMFAException', 'CodeMismatchException', 'InvalidParameterException']);

/** Calls the pool with the person's own access token. A session does not store one, so it is refreshed when needed. */
export const secondFactors = (pool: ManagersPool): SecondFactors => {
  const accessTokenOf = ({ refreshToken }: Tokens) => ownAccessToken(pool, refreshToken);

  const prefer = async (AccessToken: string | undefined, Enabled: boolean) => {
    const { sdk, client } = await cognito();
    const SoftwareTokenMfaSettings = { Enabled, PreferredMfa: Enabled };
    await client.send(new sdk.SetUserMFAPreferenceCommand({ AccessToken, SoftwareTokenMfaSettings }));
  };

  return {
    async isOn(tokens) {
      const { sdk, client } = await cognito();
      const AccessToken = await accessTokenOf(tokens);
      const { UserMFASettingList: factors = [] } = await client.send(new sdk.GetUserCommand({ AccessToken }));
      return factors.includes('SOFTWARE_TOKEN_MFA');
    },

    async newSecret(tokens) {
      const { sdk, client } = await cognito();
      const AccessToken = await accessTokenOf(tokens);
      const { SecretCode } = await client.send(new sdk.AssociateSoftwareTokenCommand({ AccessToken }));
      if (SecretCode === undefined) throw new Error('The user pool returned no secret.');
      return SecretCode;
    },

    async confirm(tokens, code) {
      const { sdk, client } = await cognito();
      const AccessToken = await accessTokenOf(tokens);
      try {
        const { Status } = await client.send(new sdk.VerifySoftwareTokenCommand({ AccessToken, UserCode: code }));
        if (Status !== 'SUCCESS') return false;
      } catch (error) {
        if (error instanceof Error && WRONG_CODE.has(error.name)) return false;
        throw error;
      }
      await prefer(AccessToken, true);
      return true;
    },

    turnOff: async (tokens) => prefer(await accessTokenOf(tokens), false),
  };
};
