import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  CfnUserPoolGroup,
  ClientAttributes,
  StringAttribute,
  UserPool,
  type UserPoolClient,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type * as CreateDataToken from '../../functions/accounts/data-tokens/create-data-token.handler.ts';
import type * as ListDataTokens from '../../functions/accounts/data-tokens/list-data-tokens.handler.ts';
import type * as RevokeDataToken from '../../functions/accounts/data-tokens/revoke-data-token.handler.ts';
import type * as ChangeAccount from '../../functions/accounts/tenants/change-account.handler.ts';
import type * as CreateAccount from '../../functions/accounts/tenants/create-account.handler.ts';
import type * as GetAccount from '../../functions/accounts/tenants/get-account.handler.ts';
import type * as ListAccounts from '../../functions/accounts/tenants/list-accounts.handler.ts';
import type * as GetUser from '../../functions/accounts/users/users.handler.ts';
import type * as UnknownRoute from '../../functions/edge/unknown-management-route.handler.ts';
import { DomainTable } from '../constructs/domain-table.ts';
import type { PublicApi } from '../constructs/public-api.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { settingsOf } from '../settings.ts';

/** What must outlive every deployment: tenants with their credentials, and the people who manage them. */
export class AccountsData extends Construct {
  readonly table = new DomainTable(this, 'Table');
  readonly managers: UserPool;
  readonly managersClient: UserPoolClient;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { retainData } = settingsOf(this);
    this.managers = new UserPool(this, 'Managers', {
      selfSignUpEnabled: false,
      // Set once, by an administrator: whoever could change it would become another tenant.
      customAttributes: { tenant: new StringAttribute({ mutable: false, minLen: 1, maxLen: 63 }) },
      passwordPolicy: {
        minLength: 16,
        requireDigits: true,
        requireLowercase: true,
        requireUppercase: true,
        requireSymbols: true,
      },
      deletionProtection: retainData,
      removalPolicy: retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this.managers).acknowledge(
      {
        id: 'AwsSolutions::AwsSolutions-COG2',
        reason: 'Signing in needs AWS credentials besides the password (ADMIN_USER_PASSWORD_AUTH): a second factor.',
      },
      {
        id: 'AwsSolutions::AwsSolutions-COG8',
        reason: 'Threat protection guards public sign-in pages; this pool has none, and idle cost must stay near zero.',
      },
    );
    this.managersClient = this.managers.addClient('Client', {
      authFlows: { adminUserPassword: true },
      writeAttributes: new ClientAttributes().withStandardAttributes({ fullname: true }),
      disableOAuth: true,
      preventUserExistenceErrors: true,
    });
    new CfnUserPoolGroup(this, 'Operators', {
      userPoolId: this.managers.userPoolId,
      groupName: 'operator',
      description: 'May act for every tenant.',
    });
  }
}

export interface AccountsProps {
  readonly api: PublicApi;
  readonly data: AccountsData;
}

/** Tenants and their credentials: the users endpoint, and the routes that manage them. */
export class Accounts extends Construct {
  constructor(scope: Construct, id: string, { api, data: { table } }: AccountsProps) {
    super(scope, id);

    const getUser = new ServiceFunction<GetUser.Env>(this, 'GetUser', {
      handlerOf: 'accounts/users/users',
      bindings: { ACCOUNTS_TABLE: table.allows('GetItem') },
      ifItFails: 'Callers of /v3/users cannot see how many records they may download.',
    });
    api.route('GET', '/v3/users', getUser);
    api.route('GET', '/v3/users/{token}', getUser);

    const managing = 'Operators and tenants cannot manage accounts; running services are not touched.';
    const createAccount = new ServiceFunction<CreateAccount.Env>(this, 'CreateAccount', {
      handlerOf: 'accounts/tenants/create-account',
      bindings: { ACCOUNTS_TABLE: table.allows('PutItem') },
      ifItFails: managing,
    });
    const listAccounts = new ServiceFunction<ListAccounts.Env>(this, 'ListAccounts', {
      handlerOf: 'accounts/tenants/list-accounts',
      bindings: { ACCOUNTS_TABLE: table.lists() },
      ifItFails: managing,
    });
    const getAccount = new ServiceFunction<GetAccount.Env>(this, 'GetAccount', {
      handlerOf: 'accounts/tenants/get-account',
      bindings: { ACCOUNTS_TABLE: table.allows('GetItem') },
      ifItFails: managing,
    });
    const changeAccount = new ServiceFunction<ChangeAccount.Env>(this, 'ChangeAccount', {
      handlerOf: 'accounts/tenants/change-account',
      bindings: { ACCOUNTS_TABLE: table.allows('UpdateItem') },
      ifItFails: managing,
    });
    api.managementRoute('POST', '/manage/v1/accounts', createAccount);
    api.managementRoute('GET', '/manage/v1/accounts', listAccounts);
    api.managementRoute('GET', '/manage/v1/accounts/{id}', getAccount);
    api.managementRoute('PATCH', '/manage/v1/accounts/{id}', changeAccount);

    const createDataToken = new ServiceFunction<CreateDataToken.Env>(this, 'CreateDataToken', {
      handlerOf: 'accounts/data-tokens/create-data-token',
      bindings: { ACCOUNTS_TABLE: table.allows('GetItem', 'PutItem') },
      ifItFails: managing,
    });
    const listDataTokens = new ServiceFunction<ListDataTokens.Env>(this, 'ListDataTokens', {
      handlerOf: 'accounts/data-tokens/list-data-tokens',
      bindings: { ACCOUNTS_TABLE: table.lists('GetItem') },
      ifItFails: managing,
    });
    const revokeDataToken = new ServiceFunction<RevokeDataToken.Env>(this, 'RevokeDataToken', {
      handlerOf: 'accounts/data-tokens/revoke-data-token',
      bindings: { ACCOUNTS_TABLE: table.allows('UpdateItem') },
      ifItFails: 'A downloads token that should be dead still works.',
    });
    api.managementRoute('POST', '/manage/v1/accounts/{id}/data-tokens', createDataToken);
    api.managementRoute('GET', '/manage/v1/accounts/{id}/data-tokens', listDataTokens);
    api.managementRoute('DELETE', '/manage/v1/accounts/{id}/data-tokens/{tokenId}', revokeDataToken);

    const unknownRoute = new ServiceFunction<UnknownRoute.Env>(this, 'UnknownRoute', {
      handlerOf: 'edge/unknown-management-route',
      bindings: {},
      ifItFails: 'Callers who mistype a management path get an unclear answer.',
    });
    api.managementRoute('ANY', '/manage/{proxy+}', unknownRoute);
  }
}
