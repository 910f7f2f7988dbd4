/** Why one cannot sign in: apart from the login, because few read it. */
export const signInFailures = {
  failed: 'Steam sign-in failed. Please try again.',
  /** PAGE-40. */
  storageBlocked:
    'Your browser blocks cookies and site data here, so you can’t sign in. Allow them for this site in the browser’s settings, then reload the page.',
  /** Why a sign-in failed (SIGN-33, OPER-8), by the reason in the address. */
  refused: {
    cancelled: 'You cancelled signing in on Steam’s page. Press the button to start again.',
    other_browser:
      'This sign-in began in another browser, or more than ten minutes ago. Sign in again here, and stay in this browser.',
    not_confirmed:
      'Steam did not confirm the sign-in; it may be having trouble. Please try again in a moment.',
    clock:
      'The clock of this server is wrong, so it can’t accept Steam’s answer. Please tell whoever runs it.',
    too_many_requests:
      'Too many sign-ins from your network failed in the last minute. Please wait a minute and try again.',
    account_blocked: 'This account is blocked here. Write to the operator.',
    not_invited:
      'Only invited people can sign in here. Open the link of a group or game night that you were sent, and sign in there.',
    not_listed: 'Only people on the operator’s list can sign in here. Write to the operator to be added.',
  },
} as const
