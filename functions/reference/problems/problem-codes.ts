/** The meaning of an error code, the advice for callers, and whether the same request may succeed later. */
export interface ProblemCode {
  readonly meaning: string;
  readonly advice: string;
  /** True if the same request can be sent again later. */
  readonly mayRetry: boolean;
}

const page = (meaning: string, advice: string): ProblemCode => ({ meaning, advice, mayRetry: false });
const retry = (meaning: string, advice: string): ProblemCode => ({ meaning, advice, mayRetry: true });

/** The pages of `/docs/problems`, by code. A test holds that every code of a document has one. */
export const PROBLEM_CODES: Readonly<Record<string, ProblemCode>> = {
  // Credentials and accounts.
  unauthorized: page(
    'The request has no credential, or one that is wrong, expired or revoked.',
    'Send a valid credential in the Authorization header. A person signs in again; a server gets a new key.',
  ),
  'no-tenant': page('The token belongs to no account.', 'Sign in as a person of an account, or use a management key.'),
  'tenant-required': page(
    'An operator belongs to no account, and the request does not say for which one it acts.',
    'Add ?tenant=ID to the path.',
  ),
  'scope-required': page(
    'The management key does not have the scope that this request needs.',
    'Use a key with the scope that the detail names, or create one.',
  ),
  'role-required': page(
    'The role of the person does not allow this request.',
    'Ask an admin of the account for the role that the detail names.',
  ),
  'person-exists': page('Somebody with this e-mail address can already sign in.', 'Use another address.'),
  'redrive-in-progress': retry(
    'The dead letters of this queue are being sent back already.',
    'Wait until it has ended.',
  ),
  'last-admin': page(
    'The person is the last active admin of the account, so nobody could manage its people.',
    'Make somebody else an admin first.',
  ),
  'operator-required': page('Only an operator of the service may do this.', 'Ask the operator of the service.'),
  'account-suspended': page(
    'The account is suspended. All its credentials are refused until it is active again.',
    'Ask the operator of the service why the account is suspended.',
  ),
  'account-erased': page('The account was erased. Its id is never given again.', 'Create an account of another name.'),
  'account-active': page(
    'Only a suspended account can be erased.',
    'Suspend the account first, and wait for 24 hours.',
  ),
  'account-suspended-recently': retry(
    'The account was suspended less than 24 hours ago, and work that began before may still be under way.',
    'Try again at the time that the detail names.',
  ),
  'account-billed': page(
    'The account has a paid plan, and a period that is not invoiced yet.',
    'Change to the plan Free, and erase the account once the change takes effect.',
  ),
  'own-account': page(
    'An operator cannot erase the account that the token belongs to.',
    'Use the token of another operator.',
  ),
  'account-exists': page('There is an account of this id already.', 'Choose another name.'),
  'currency-in-use': page(
    'The billing currency cannot change once there is a paid period.',
    'Keep the currency, or create another account.',
  ),
  forbidden: page('The credential does not allow this.', 'Use a credential that does.'),
  'token-revoked': page('The data token is revoked.', 'Create another one.'),
  'unknown-plan': page('There is no such plan of data tokens.', 'Use one of the plans that the detail names.'),

  // Requests.
  'invalid-input': page(
    'Members or parameters of the request are invalid. `errors` names each by its JSON pointer.',
    'Correct all that `errors` lists; nothing was changed.',
  ),
  'invalid-request': page(
    'The request has mistakes. `errors` names each by its JSON pointer.',
    'Correct all that `errors` lists.',
  ),
  'invalid-json': page('The body is not JSON.', 'Send JSON in UTF-8.'),
  'malformed-json': page('The body is not JSON.', 'Send JSON in UTF-8, within the limits that the detail names.'),
  'invalid-body': page('The body says that it is gzip and is not.', 'Send valid gzip, or leave out Content-Encoding.'),
  'invalid-cursor': page(
    'The cursor does not belong to this list.',
    'Send nextCursor exactly as the same list returned it, with the same filters.',
  ),
  'not-found': page(
    'There is no such resource, or it belongs to another account.',
    'Check the path and the id, and whose credential it is.',
  ),
  'method-not-allowed': page('The path has other methods.', 'Use one of the methods that the header Allow names.'),
  'not-acceptable': page(
    'The answer is not available in the form or the data version that was asked for.',
    'Leave out Accept and X-Data-Version, or send the values that the detail names.',
  ),
  'payload-too-large': page('The body is too large, as it was sent or inflated.', 'Send less at a time.'),
  'unsupported-media-type': page(
    'The body has a type or encoding that is not accepted.',
    'Send JSON, as it is or as gzip.',
  ),
  'changed-meanwhile': retry(
    'The resource was changed by somebody else at the same time.',
    'Read it again, and repeat the change.',
  ),
  'name-taken': page('The name is in use already.', 'Choose another name.'),
  'in-use': page('Other resources use this one.', 'Change or delete those first; the detail says how many there are.'),

  // Limits and faults.
  'rate-limited': retry(
    'The requests per second of the account are used up.',
    'Wait for the seconds in Retry-After, and a little longer at random.',
  ),
  'quota-exceeded': page(
    'A quota of the account is used up: conversions, or events of the day.',
    'Wait until it resets, as the detail says, or change the plan.',
  ),
  'internal-error': retry('The service failed.', 'Send the request again; quote `instance` if the error persists.'),
  internal: retry(
    'The service failed. The request is not counted.',
    'Send the request again; quote `instance` if the error persists.',
  ),
  unavailable: retry('A part of the service cannot be reached.', 'Send the request again in a minute.'),
  deadline: retry('The request took too long and is not counted.', 'Send fewer items at a time.'),
  'idempotency-in-progress': retry(
    'The first request with this Idempotency-Key has no answer yet.',
    'Send the request again after the seconds in Retry-After.',
  ),
  'idempotency-key-reused': page(
    'The Idempotency-Key was used with another body.',
    'Use a new key for each new request, and the same key only to repeat one.',
  ),

  // Imports.
  'upload-gone': page(
    'There is no such upload: it was completed before, or it is older than a day.',
    'List the imports with its key; if there is none, begin another upload.',
  ),
  'upload-incomplete': page('Not all bytes of the file have arrived.', 'Put the missing parts to their links again.'),

  // Conversions.
  'unsupported-conversion': page('There is no such conversion.', 'See which kinds the operation takes.'),
  'unknown-unit': page('The unit is unknown.', 'Use the code that the detail suggests.'),
  'incompatible-units': page('The units measure different things.', 'Convert between units of the same quantity.'),
  'unparseable-value': page('The value cannot be read.', 'Send it in one of the forms that the detail names.'),
  'ambiguous-value': page(
    'The value has more than one meaning; `candidates` lists them.',
    'Send it unambiguously, or say the locale or country in `options`.',
  ),
  'precision-out-of-range': page('The precision is out of range.', 'Send a precision from 0 to 30.'),
  'schema-invalid': page('The schema cannot be used.', 'Use only the keywords and sizes that the detail names.'),
  'all-items-failed': page('No item of the list went well; `results` has the error of each.', 'Correct the items.'),
  'plan-changed': retry('The plan has changed since it was shown.', 'Read the plan again before changing it.'),
  'payment-method-not-allowed': page(
    'The payment method does not fit the plan or the billing currency.',
    'Use the method that the detail names.',
  ),

  // Webhooks.
  'invalid-target': page(
    'Webhooks cannot be sent to this URL.',
    'Use an https URL of a public host, without credentials in it.',
  ),
  'secret-required': page(
    'The secret of the authentication is missing: it is not kept when the type, or scheme, host or port of the target change.',
    'Send the secret again.',
  ),
  'not-signed': page('Requests of this API configuration are not signed.', 'Set signature to standard-webhooks.'),
  'unknown-configuration': page('There is no such API configuration.', 'Create it first.'),
  'too-many-rules': page(
    'The account has reached its limit of rules.',
    'Delete a rule, or ask the operator of the service.',
  ),
  'too-many-tests': retry('The account has made too many tests in this minute.', 'Wait for the next minute.'),
  'secret-unreadable': page('The stored secret cannot be decrypted.', 'Enter the secret again.'),
  'module-reserved': page('Only the service itself announces events of this module.', 'Use one of the other modules.'),
  'id-reserved': page('The id begins like those of the service’s own events.', 'Choose another id.'),
  'api-integration-off': page('Webhooks are switched off for the account.', 'Switch on apiIntegration in the account.'),
  'is-replay': page('A replay cannot be replayed.', 'Replay its original run.'),
  'not-failed': page('Only a failed run can be replayed.', 'Wait until the run has ended.'),
  'not-waiting': page(
    'The run waits for no later attempt.',
    'Replay it if it has failed; otherwise, wait for its attempt.',
  ),
  resolved: page('A replay of this run has succeeded.', 'There is nothing left to do.'),
  'replay-in-progress': page('A replay of the run is in progress.', 'Wait until it has ended.'),
  'replays-spent': page('The run was replayed as often as it may be.', 'Send the event again with a new id.'),
  'configuration-missing': page('The API configuration of the run no longer exists.', 'Send the event again.'),
  'configuration-disabled': page('The API configuration of the run is disabled.', 'Enable it, and replay the run.'),
  'payload-missing': page(
    'The payload of the run was too large to be stored.',
    'Send the event again, with less data.',
  ),
  'replay-running': retry('A bulk replay of the account is running.', 'Wait for its end, or cancel it.'),
  // Customers and records.
  'external-id-taken': page('Another customer of the account has this external id.', 'Choose another external id.'),
  'bad-request': page('The download is larger than one request takes.', 'Name a smaller number of records.'),
  'invalid-query': page('The query, the view or a parameter is not valid.', 'Correct what the detail names.'),
  'nothing-requested': page('No record matches, or none was requested.', 'Preview the query first.'),
  'no-data-token': page('The account has no valid data token.', 'Ask an operator for a data token.'),
  'too-few-credits': page('The token has fewer credits than records are requested.', 'Request fewer, or add credits.'),
  'file-expired': page('The file is older than 7 days and was removed.', 'Start the download again.'),
  'preview-records-exceeded': retry('Previews have shown the most records of a day.', 'Download them, or wait a day.'),
  busy: retry('Too many downloads start at this moment.', 'Send the request again after a pause.'),

  // Places and images.
  'place-exists': page('There is a place with this id already.', 'Choose another id, or change the place that exists.'),
  'unknown-place': page(
    'The ad unit names places that do not exist.',
    'Create the places first; the detail names them.',
  ),
  'too-many-ad-units': page('The account has reached its limit of ad units.', 'Delete an ad unit that has ended.'),
  'permalink-taken': page('There is a campaign with this permalink already.', 'Choose another permalink.'),
  'already-decided': page(
    'The validation has another decision already.',
    'Read the validation: its decision is final.',
  ),
  claimed: retry(
    'Another person is looking at the validation.',
    'Take another validation, or wait until the claim ends, as the detail says.',
  ),
  'not-pending': page(
    'The validation is not pending, so nobody can decide it.',
    'Read the validation again: it is decided, or its images have not all arrived.',
  ),
  'needs-no-review': page(
    'The validation waits for no person.',
    'Claim a validation of the list with needsReview=true.',
  ),
  'campaign-unavailable': page(
    'There is no such campaign of this type, or the customer has received all its awards.',
    'Name another campaign, or its own type.',
  ),
  'images-disabled': page('The app does not accept images.', 'Turn images on in the app, or name another app.'),
  'submission-refused': page(
    'The submission exceeds a limit of the app.',
    'Submit fewer images, or wait until the next UTC day, as the detail says.',
  ),
  'needs-no-examination': page(
    'Another examination of the validation would not help: it awaits no person, or nothing has failed.',
    'Decide the validation, or read it again: it may be decided.',
  ),
  'examination-failed': page(
    'Three more examinations of the validation have failed.',
    'Decide it by its images, and report the validation to the operators.',
  ),
  'subject-required': page('A claim needs a credential that names who claims.', 'Use the token of a person.'),
};
