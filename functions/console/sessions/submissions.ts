/** One submission of one form of a session. */
export interface Submission {
  readonly sessionId: string;
  readonly nonce: string;
}

/** Which forms have been submitted, and where their submissions led. */
export interface Submissions {
  /** False if the form was submitted before. */
  readonly claim: (submission: Submission, now: number) => Promise<boolean>;
  readonly led: (submission: Submission, location: string) => Promise<void>;
  /** Where a submission has led; undefined while it is under way, or if it failed. */
  readonly locationOf: (submission: Submission) => Promise<string | undefined>;
}
