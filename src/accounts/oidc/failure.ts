/** Why a sign-in with a provider failed, and what the person can do. */

const words = {
  'no-flow': 'This login was not started in this browser, or it was used already. Start again.',
  expired: 'This login took longer than ten minutes. Start again.',
  'wrong-state': "The provider's reply doesn't belong to the login that this browser started. Start again.",
  refused:
    'The provider did not log you in: you said no there, or it did. Start again if you want to log in.',
  replayed: 'The provider did not accept its own code: it was used already, or it is too old. Start again.',
  invalid:
    "The provider's reply could not be checked. Start again; if it happens again, tell whoever runs this server.",
  away: 'The provider does not answer. Try again in a minute, or log in another way.',
  'not-invited':
    'Nobody has invited this account. Ask an admin of this server for an invitation link, and open it first.',
  disabled: 'This account was disabled. Ask an admin of this server.',
} as const

export type OidcProblem = keyof typeof words

export class OidcFailure extends Error {
  override readonly name = 'OidcFailure'
  readonly problem: OidcProblem

  constructor(problem: OidcProblem, cause?: unknown) {
    super(words[problem], { cause })
    this.problem = problem
  }
}
