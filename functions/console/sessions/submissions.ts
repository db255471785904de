/** One submission of one form of a session. */
export interface Submission {
  readonly sessionId: string;
  readonly nonce: string;
}

/** The submitted forms, and the addresses to which their submissions led. */
export interface Submissions {
  /** Records a submission; false if the form was submitted before. */
  readonly claim: (submission: Submission, now: number) => Promise<boolean>;
  readonly led: (submission: Submission, location: string) => Promise<void>;
  /** Returns the address to which a submission led; undefined while it is in progress or if it failed. */
  readonly locationOf: (submission: Submission) => Promise<string | undefined>;
}
