import type { AuditWriter } from '#shared/audit/audit-line';
import type { OwnPassword, PasswordChange, Passwords, PoolChange } from '../sessions/own-password.ts';
import { recordedChange } from '../sessions/recorded-change.ts';
import { isFresh, needsCode, type OwnSecondFactor, type SecondFactors } from '../sessions/second-factor.ts';
import type { SignInStep } from '../sign-in/people.ts';
import type { ConsoleRequest } from './requests.ts';
import type { OpenSession, SessionParts } from './session-of.ts';
import { type AttemptParts, attempted, lockoutText } from './signing-in.tsx';

export interface OwnCredentialParts extends SessionParts, AttemptParts {
  readonly secondFactors: SecondFactors;
  readonly passwords: Passwords;
  readonly audit: AuditWriter;
}

type OwnRequest = ConsoleRequest & { readonly session: OpenSession };

/** The credentials of the signed-in person, for the screens that change them. */
export const ownCredentials = (parts: OwnCredentialParts, request: OwnRequest) => ({
  secondFactor: secondFactorOf(parts, request),
  password: passwordOf(parts, request),
});

function secondFactorOf(parts: OwnCredentialParts, request: OwnRequest): OwnSecondFactor {
  const { secondFactors, sessions, audit } = parts;
  const { event, session, now } = request;
  const { tokens, person, id } = session;
  return {
    isRequired: needsCode(parts, person),
    mayChange: isFresh(session.signedInAt, now),
    isOn: () => secondFactors.isOn(tokens),
    async refusalOf({ password, code }) {
      const step = await attempted(parts, request, { name: person.name }, () =>
        signInAgain(parts, person.name, { password, code }, now),
      );
      if (step.kind === 'signed-in') return undefined;
      return step.kind === 'locked-out'
        ? lockoutText(step, now)
        : 'The password or the code is wrong. A code works once.';
    },
    newSecret: () => secondFactors.newSecret(tokens),
    async confirm(code) {
      const change = { action: 'second-factor.create', person, event } as const;
      const make = () => secondFactors.confirm(tokens, code);
      if (!(await recordedChange(audit, change, { now, make, isDone: Boolean }))) return false;
      await sessions.note(id, { ...session, hasEnteredCode: true });
      return true;
    },
    turnOff: () => {
      const change = { action: 'second-factor.delete', person, event } as const;
      return recordedChange(audit, change, { now, make: () => secondFactors.turnOff(tokens), isDone: () => true });
    },
  };
}

/** The user pool checks a code only as a part of signing in. The tokens of this sign-in are not used. */
async function signInAgain(
  { people }: OwnCredentialParts,
  name: string,
  { password, code }: { readonly password: string; readonly code: string },
  now: number,
): Promise<SignInStep> {
  const step = await people.signIn(name, password, now);
  // Without a code the sign-in would prove the password alone.
  if (step.kind === 'locked') return step;
  if (step.kind !== 'code') return { kind: 'refused' };
  return people.answer({ kind: 'code', name, session: step.session, value: code }, now);
}

function passwordOf(parts: OwnCredentialParts, request: OwnRequest): OwnPassword {
  const { session, event, now } = request;
  const { person, tokens } = session;
  return {
    async change(change): Promise<PasswordChange> {
      const make = () => parts.passwords.change(tokens, change);
      const record = { action: 'password.replace', person, event } as const;
      const isDone = ({ kind }: PoolChange) => kind === 'changed';
      const step = await attempted(parts, request, { name: person.name }, async () => {
        const result = await recordedChange(parts.audit, record, { now, make, isDone });
        return result.kind === 'wrong' ? { kind: 'refused' } : result;
      });
      if (step.kind === 'locked-out') return { kind: 'locked-out', reason: lockoutText(step, now) };
      if (step.kind === 'changed') await parts.sessions.end(session.id);
      return step.kind === 'refused' ? { kind: 'wrong' } : step;
    },
  };
}
