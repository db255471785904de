import { CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { ORIGIN_SECRET_HEADER } from '#shared/http/public-domain';
import { isLocal, type PublicDomain, stageOf } from '../settings.ts';
import { dataKey } from './data-key.ts';
import { localParameter } from './functions/local-parameter.ts';

export interface DomainInFrontProps extends PublicDomain {
  /** The host of the gateway. */
  readonly originHost: string;
}

/**
 * The domain of the stage: CloudFront, and a firewall if there is one, before the HTTP API. An HTTP API takes neither a
 * firewall nor a policy of its own, and CloudFront reaches it at its public address, so the functions refuse requests without
 * the secret that only CloudFront sends.
 */
export class DomainInFront extends Construct {
  private readonly domainName: string;
  private readonly secret: Secret;

  constructor(scope: Construct, id: string, { name, certificate, webAcl, originHost }: DomainInFrontProps) {
    super(scope, id);
    this.domainName = name;
    const encryptionKey = dataKey(this, 'OriginSecret');
    this.secret = new Secret(this, 'OriginSecret', {
      ...(encryptionKey && { encryptionKey }),
      secretName: secretName(this),
      description: `Proves to the functions of the API that a request came through ${name}.`,
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SMG4',
      reason: 'CloudFront and functions get it at a deployment: a scheduled rotation would have them disagree.',
    });
    // A laptop has no CloudFront.
    if (!isLocal(this)) this.distribute({ name, certificate, webAcl, originHost });
  }

  /** Lets a function of the API refuse what did not come through the domain. */
  isCheckedBy(served: LambdaFunction): void {
    served.addEnvironment('PUBLIC_DOMAIN', this.domainName);
    served.addEnvironment('ORIGIN_SECRET', localParameter(served, 'OriginSecret', reference(this)));
    served.node.addDependency(this.secret);
  }

  private distribute({ name, certificate, webAcl, originHost }: DomainInFrontProps): void {
    const distribution = new Distribution(this, 'Distribution', {
      comment: `The API of ${stageOf(this)}`,
      domainNames: [name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificate),
      ...(webAcl !== undefined && { webAclId: webAcl }),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        origin: new HttpOrigin(originHost, {
          protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [OriginSslPolicy.TLS_V1_2],
          customHeaders: { [ORIGIN_SECRET_HEADER]: reference(this) },
          // The gateway answers for a function after 30 seconds.
          readTimeout: Duration.seconds(35),
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        // The gateway knows its own host only.
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        // The functions compress their answers.
        compress: false,
      },
      // By default CloudFront keeps errors for ten seconds, also without a cache, and would give one caller's to others.
      errorResponses: CACHED_ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    distribution.node.addDependency(this.secret);
    acknowledge(distribution, webAcl);
    // The name that the record of the domain leads to.
    new CfnOutput(Stack.of(this), 'DomainTarget', { value: distribution.distributionDomainName });
  }
}

/** The errors that CloudFront may keep. */
const CACHED_ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** A name that domain stacks know without an export, which would hold the setting in place. */
const secretName = (scope: Construct) => `five-services-${stageOf(scope)}-origin`;

/** CloudFormation puts the value in its place at a deployment. */
const reference = (scope: Construct) => `{{resolve:secretsmanager:${secretName(scope)}:SecretString}}`;

function acknowledge(distribution: Distribution, webAcl: string | undefined): void {
  const accepted = {
    CFR1: 'The API is for callers of all countries.',
    ...(webAcl === undefined && { CFR2: 'A firewall is a setting, webAcl.' }),
    CFR3: 'The log of CloudFront has paths, which may contain tokens; the guide says how to log without them.',
  };
  for (const [rule, reason] of Object.entries(accepted)) {
    Validations.of(distribution).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
  }
}
