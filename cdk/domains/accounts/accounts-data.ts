import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnUserPoolGroup,
  ClientAttributes,
  Mfa,
  StringAttribute,
  UserPool,
  type UserPoolClient,
  type UserPoolClientOptions,
  UserPoolEmail,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { AccountsKey, AccountsList } from '../../../functions/accounts/table-keys.ts';
import { DomainTable } from '../../constructs/domain-table.ts';
import { reads, setting } from '../../constructs/functions/bindings.ts';
import { KeySecrets } from '../../constructs/key-secrets.ts';
import { settingsOf } from '../../settings.ts';

/** The retained resources: tenants with their credentials, and the people who manage them. */
export class AccountsData extends Construct {
  readonly table = new DomainTable<AccountsKey, AccountsList>(this, 'Table');
  /**
   * Writing lines of the audit log, and the answers to requests that may be repeated: for every function that makes
   * changes for managers.
   */
  readonly auditing = {
    AUDIT_TABLE: this.table.allows({
      'AUDIT#': ['PutItem', 'UpdateItem'],
      'ANSWER#': ['PutItem', 'UpdateItem', 'DeleteItem'],
    }),
  };
  /** Reading open erasures and noting their progress: for the worker of every domain. */
  readonly erasing = {
    ACCOUNTS_TABLE: this.table.allows({ 'ERASURE#': ['GetItem', 'UpdateItem'], OPEN_ERASURES: ['Query'] }),
  };
  /** Recording the runs of a schedule, and nothing else: for every function that a schedule calls. */
  readonly recordingRuns = this.table.allows({ SCHEDULE_RUNS: ['PutItem'] });
  readonly managers: UserPool;
  readonly managersClient: UserPoolClient;
  /** The client of the administration screens. */
  readonly consoleClient: UserPoolClient;
  /** Proves management keys. */
  readonly managementKeySecrets = new KeySecrets(this, 'ManagementKeySecrets', 'management keys');
  /** Proves the tokens of anonymous customers. */
  readonly anonymousTokenSecrets = new KeySecrets(this, 'AnonymousTokenSecrets', 'tokens of anonymous customers');

  /** Recognising tokens of anonymous customers, and what answers say of the interfaces: for the loyalty interfaces. */
  readonly loyaltyCallers = {
    KEY_SECRETS: reads(this.anonymousTokenSecrets),
    LOYALTY_DEPRECATED_SINCE: setting(settingsOf(this).loyaltyDeprecatedSince),
  };

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { retainData } = settingsOf(this);
    this.managers = new UserPool(this, 'Managers', {
      selfSignUpEnabled: false,
      // Set once, by an administrator: a user who could change it could act for another tenant.
      customAttributes: { tenant: new StringAttribute({ mutable: false, minLen: 1, maxLen: 63 }) },
      // The same rule as `meetsPasswordRule` in functions/console/sign-in/password-rule.ts.
      passwordPolicy: {
        minLength: 16,
        requireDigits: true,
        requireLowercase: true,
        requireUppercase: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(7),
      },
      ...recovery(this),
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { sms: false, otp: true },
      deletionProtection: retainData,
      removalPolicy: retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(this.managers).acknowledge(
      {
        id: 'AwsSolutions::AwsSolutions-COG2',
        reason:
          'The administration screens ask operators for a code in production and offer it to everybody. Commands sign in with AWS credentials, for people who have no code.',
      },
      {
        id: 'AwsSolutions::AwsSolutions-COG8',
        reason:
          'Only the console and commands can ask the pool for a sign-in, and the console limits attempts. Anybody can ask for the code of a forgotten password, which Cognito itself limits. Idle cost must stay near zero.',
      },
    );
    this.managersClient = this.managers.addClient('Client', clientFor());
    // A session lasts half a day. The authoriser reads the person at every call, whatever the token says.
    this.consoleClient = this.managers.addClient('ConsoleClient', {
      ...clientFor(),
      idTokenValidity: Duration.minutes(15),
      accessTokenValidity: Duration.minutes(15),
      refreshTokenValidity: Duration.hours(12),
    });
    new CfnUserPoolGroup(this, 'Operators', {
      userPoolId: this.managers.userPoolId,
      groupName: 'operator',
      description: 'May act for every tenant.',
    });
    new CfnOutput(Stack.of(this), 'ManagersPool', { value: this.managers.userPoolId });
    new CfnOutput(Stack.of(this), 'ConsoleClient', { value: this.consoleClient.userPoolClientId });
    new CfnOutput(Stack.of(this), 'ManagersClient', { value: this.managersClient.userPoolClientId });
  }
}

/** Codes for forgotten passwords, by mail. */
function recovery(scope: Construct) {
  const { mailFrom, productName } = settingsOf(scope);
  return {
    accountRecovery: AccountRecovery.EMAIL_ONLY,
    userVerification: {
      emailSubject: `Your code for ${productName}`,
      emailBody:
        'Your code to choose a new password is {####}. It is valid for an hour. If you did not ask for it, ignore this mail.',
    },
    // Without a sender of its own, the pool sends up to 50 mails a day.
    ...(mailFrom !== '' && {
      email: UserPoolEmail.withSES({ fromEmail: mailFrom, sesRegion: Stack.of(scope).region }),
    }),
  };
}

const clientFor = (): UserPoolClientOptions => ({
  authFlows: { adminUserPassword: true },
  // Without it the ID token of a pool on AWS lacks the tenant.
  readAttributes: new ClientAttributes().withStandardAttributes({ fullname: true }).withCustomAttributes('tenant'),
  writeAttributes: new ClientAttributes().withStandardAttributes({ fullname: true }),
  disableOAuth: true,
  preventUserExistenceErrors: true,
});
