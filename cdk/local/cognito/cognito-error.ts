import { CallRefusal } from '../endpoint/call-refusal.ts';

/** A refusal in Cognito's own words. */
export class CognitoError extends CallRefusal {
  constructor(code: string, message: string) {
    super(400, code, message);
  }
}
