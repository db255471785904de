/** Amazon Cognito user pools behind the AWS endpoint, as far as administrators and sign-in need them. */
import { decodeJwt } from 'jose';
import { z } from 'zod';
import type { AwsRequest, AwsResponse, AwsService, NeededPermission, UnsignedRequest } from '../aws-service.ts';
import { type JsonObject, jsonBody, textIn } from '../endpoint/json.ts';
import { jsonError } from '../endpoint/json-protocol.ts';
import { CognitoError } from './cognito-error.ts';
import { initiateAuth, respondToChallenge } from './sign-in.ts';
import {
  adminSetUserMfaPreference,
  associateSoftwareToken,
  getUser,
  setUserMfaPreference,
  verifySoftwareToken,
} from './software-tokens.ts';
import {
  adminAddUserToGroup,
  adminCreateUser,
  adminDeleteUser,
  adminGetUser,
  adminListGroupsForUser,
  adminRemoveUserFromGroup,
  adminSetEnabled,
  adminSetUserPassword,
  adminUpdateUserAttributes,
  adminUserGlobalSignOut,
  listUsers,
  type UserAction,
} from './user-actions.ts';
import type { UserPool } from './user-pool.ts';

const ACTIONS: Readonly<Record<string, (action: UserAction) => object | Promise<object>>> = {
  AdminCreateUser: adminCreateUser,
  AdminGetUser: adminGetUser,
  AdminDeleteUser: adminDeleteUser,
  ListUsers: listUsers,
  AdminSetUserPassword: adminSetUserPassword,
  AdminUpdateUserAttributes: adminUpdateUserAttributes,
  AdminAddUserToGroup: adminAddUserToGroup,
  AdminRemoveUserFromGroup: adminRemoveUserFromGroup,
  AdminListGroupsForUser: adminListGroupsForUser,
  AdminEnableUser: (action) => adminSetEnabled(action, true),
  AdminDisableUser: (action) => adminSetEnabled(action, false),
  AdminSetUserMFAPreference: adminSetUserMfaPreference,
  AdminUserGlobalSignOut: adminUserGlobalSignOut,
  AdminInitiateAuth: (action) => initiateAuth({ ...action, asAdmin: true }),
  AdminRespondToAuthChallenge: respondToChallenge,
};

/** Users name the client that they use, and its pool is meant. */
const USER_ACTIONS: Readonly<Record<string, (action: UserAction) => Promise<object>>> = {
  InitiateAuth: (action) => initiateAuth({ ...action, asAdmin: false }),
  RespondToAuthChallenge: respondToChallenge,
};

/** Users who are signed in present their access token, which says of which pool it is. */
const TOKEN_ACTIONS: Readonly<Record<string, (action: UserAction) => Promise<object>>> = {
  AssociateSoftwareToken: associateSoftwareToken,
  GetUser: getUser,
  SetUserMFAPreference: setUserMfaPreference,
  VerifySoftwareToken: verifySoftwareToken,
};

/** What AWS accepts unsigned: passwords and tokens in the body prove the user. Most of it is not known here. */
const PUBLIC_ACTIONS = new Set([
  'AssociateSoftwareToken',
  'ChangePassword',
  'CompleteWebAuthnRegistration',
  'ConfirmDevice',
  'ConfirmForgotPassword',
  'ConfirmSignUp',
  'DeleteUser',
  'DeleteUserAttributes',
  'DeleteWebAuthnCredential',
  'ForgetDevice',
  'ForgotPassword',
  'GetDevice',
  'GetTokensFromRefreshToken',
  'GetUser',
  'GetUserAttributeVerificationCode',
  'GetUserAuthFactors',
  'GlobalSignOut',
  'InitiateAuth',
  'ListDevices',
  'ListWebAuthnCredentials',
  'ResendConfirmationCode',
  'RespondToAuthChallenge',
  'RevokeToken',
  'SetUserMFAPreference',
  'SetUserSettings',
  'SignUp',
  'StartWebAuthnRegistration',
  'UpdateAuthEventFeedback',
  'UpdateDeviceStatus',
  'UpdateUserAttributes',
  'VerifySoftwareToken',
  'VerifyUserAttribute',
]);

const TARGET = 'AWSCognitoIdentityProviderService.';
/** A pool's id has an underscore, which no bucket's name has: nothing of S3 is taken for a pool's document. */
const WELL_KNOWN = /^\/([\w-]+_[0-9a-zA-Z]+)\/\.well-known\/(jwks\.json|openid-configuration)$/;

export class CognitoService implements AwsService {
  readonly signingName = 'cognito-idp';
  private readonly pools = new Map<string, UserPool>();
  private readonly now: () => Date;

  constructor(now: () => Date) {
    this.now = now;
  }

  add(pool: UserPool): void {
    this.pools.set(pool.settings.id, pool);
  }

  pool(id: string): UserPool {
    const pool = this.pools.get(id);
    if (!pool) throw new CognitoError('ResourceNotFoundException', `User pool ${id} does not exist.`);
    return pool;
  }

  permissionsOf(request: AwsRequest): readonly NeededPermission[] {
    const action = actionOf(request);
    if (action === undefined || PUBLIC_ACTIONS.has(action)) return [];
    const id = poolIdIn(request);
    return [{ action: `cognito-idp:${action}`, resource: this.pools.get(id)?.settings.arn ?? '*' }];
  }

  isPublic(request: UnsignedRequest): boolean {
    const action = actionOf(request);
    if (action !== undefined) return request.method === 'POST' && PUBLIC_ACTIONS.has(action);
    return request.method === 'GET' && WELL_KNOWN.test(request.path);
  }

  async handle(request: AwsRequest): Promise<AwsResponse> {
    try {
      const wellKnown = this.wellKnown(request);
      return json(200, wellKnown ?? (await this.act(request)));
    } catch (error) {
      if (error instanceof CognitoError) return this.error(400, error.code, error.message);
      if (error instanceof z.ZodError) return this.error(400, 'InvalidParameterException', z.prettifyError(error));
      throw error;
    }
  }

  error(status: number, code: string, message: string): AwsResponse {
    return jsonError({ status, code, message, version: '1.1' });
  }

  private async act(request: AwsRequest): Promise<object> {
    const action = actionOf(request) ?? '';
    const input = jsonBody(request.body);
    const ofUser = own(USER_ACTIONS, action);
    if (ofUser) return ofUser({ pool: this.poolOfClient(input), input, now: this.now() });
    const ofToken = own(TOKEN_ACTIONS, action);
    if (ofToken) return ofToken({ pool: this.poolOfToken(input), input, now: this.now() });
    const act = own(ACTIONS, action);
    if (!act) throw new CognitoError('NotImplementedException', `The local cloud does not know ${action} of Cognito.`);
    return act({ pool: this.pool(poolIdIn(request)), input, now: this.now() });
  }

  private poolOfClient(input: unknown): UserPool {
    const { ClientId } = z.object({ ClientId: z.string() }).parse(input);
    const pool = [...this.pools.values()].find(({ clients }) => clients.has(ClientId));
    if (!pool) throw new CognitoError('ResourceNotFoundException', `User pool client ${ClientId} does not exist.`);
    return pool;
  }

  /** The token is proven by the action itself, with the key of the pool. */
  private poolOfToken(input: JsonObject): UserPool {
    const token = textIn(input, 'AccessToken') ?? '';
    const pool = [...this.pools.values()].find(({ settings }) => settings.issuer === issuerIn(token));
    if (!pool) throw new CognitoError('NotAuthorizedException', 'Invalid Access Token');
    return pool;
  }

  /** The keys of a pool, and what OpenID Connect wants to know of it. */
  private wellKnown({ method, path }: AwsRequest): object | undefined {
    const [, id = '', document] = WELL_KNOWN.exec(path) ?? [];
    if (method !== 'GET' || document === undefined) return undefined;
    const { settings, publicKey, keyId } = this.pool(id);
    if (document === 'jwks.json') {
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', kid: keyId, use: 'sig' }] };
    }
    return {
      issuer: settings.issuer,
      jwks_uri: `${settings.issuer}/.well-known/jwks.json`,
      id_token_signing_alg_values_supported: ['RS256'],
      subject_types_supported: ['public'],
      response_types_supported: ['code', 'token'],
    };
  }
}

function actionOf({ headers }: UnsignedRequest): string | undefined {
  const target = headers['x-amz-target'] ?? '';
  return target.startsWith(TARGET) ? target.slice(TARGET.length) : undefined;
}

function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** Names come from outside: `constructor` is not an action. */
const own = <T>(actions: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(actions, name) ? actions[name] : undefined;

const poolIdIn = ({ body }: AwsRequest) => textIn(jsonBody(body), 'UserPoolId') ?? '';

function json(status: number, body: object): AwsResponse {
  return { status, headers: { 'content-type': 'application/x-amz-json-1.1' }, body: JSON.stringify(body) };
}
