/** The members of the requests of CloudWatch Logs. What is not listed for an operation is refused, because it would not be done. */
import { z } from 'zod';

const GROUPS_MAX = 50;
const EVENTS_MAX = 10_000;

const groupName = z.string().regex(/^[\w./#-]{1,512}$/);
/** The name of a group, or its ARN, which ends with the name. */
const groupIdentifier = z
  .string()
  .transform((identifier) => identifier.replace(/^arn:[^:]*:logs:[^:]*:[^:]*:log-group:/, '').replace(/:\*$/, ''))
  .pipe(groupName);
const nextToken = z.string().regex(/^\d+$/, { error: 'The specified nextToken is invalid.' }).transform(Number);
const millis = z.int().nonnegative();
/** Queries take seconds; AWS reads larger numbers as milliseconds. */
const queryTime = z
  .int()
  .nonnegative()
  .transform((time) => (time < 1e11 ? time * 1000 : time));

export const REQUESTS = {
  DescribeLogGroups: z.strictObject({
    logGroupNamePrefix: groupName.optional(),
    limit: z.int().min(1).max(GROUPS_MAX).default(GROUPS_MAX),
    nextToken: z.string().default(''),
  }),
  FilterLogEvents: z
    .strictObject({
      logGroupName: groupName.optional(),
      logGroupIdentifier: groupIdentifier.optional(),
      startTime: millis.default(0),
      endTime: millis.default(Number.MAX_SAFE_INTEGER),
      filterPattern: z.string().max(1024).default(''),
      limit: z.int().min(1).max(EVENTS_MAX).default(EVENTS_MAX),
      nextToken: nextToken.default(0),
      // The events of a group are interleaved anyway.
      interleaved: z.boolean().optional(),
    })
    .transform(({ logGroupName, logGroupIdentifier, ...rest }, context) => {
      const name = logGroupName ?? logGroupIdentifier;
      if (name !== undefined && (logGroupName === undefined || logGroupIdentifier === undefined)) {
        return { name, ...rest };
      }
      context.addIssue({ code: 'custom', message: 'Exactly one of logGroupName and logGroupIdentifier is required.' });
      return z.NEVER;
    }),
  StartQuery: z
    .strictObject({
      logGroupName: groupName.optional(),
      logGroupNames: z.array(groupName).max(GROUPS_MAX).optional(),
      logGroupIdentifiers: z.array(groupIdentifier).max(GROUPS_MAX).optional(),
      queryLanguage: z.literal('CWLI').optional(),
      startTime: queryTime,
      endTime: queryTime,
      queryString: z.string().max(10_000),
      limit: z.int().min(1).max(EVENTS_MAX).default(EVENTS_MAX),
    })
    .transform(({ logGroupName, logGroupNames, logGroupIdentifiers, ...rest }, context) => {
      const given = [logGroupName && [logGroupName], logGroupNames, logGroupIdentifiers].filter(
        (names) => names !== undefined,
      );
      const [names] = given;
      if (names && names.length > 0 && given.length === 1) return { names, ...rest };
      context.addIssue({
        code: 'custom',
        message: 'Exactly one of logGroupName, logGroupNames and logGroupIdentifiers is required.',
      });
      return z.NEVER;
    }),
  GetQueryResults: z.strictObject({ queryId: z.string() }),
};
