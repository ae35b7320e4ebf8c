/** The kinds of records. A new kind is one line here, which says whether a backup has it. */

/** What lasts for minutes, or lets somebody in, isn't backed up: a restore would open again what was ended since. */
const inBackup = {
  person: true,
  /** Which name or address is whose: its key is taken only once. */
  'person-name': true,
  password: true,
  'api-key': true,
  invitation: true,
  lineup: true,
  template: true,
  audit: true,
  'sign-in': false,
  /** When somebody last logged in. The sign-in itself may have ended since. */
  'last-sign-in': false,
  'key-use': false,
  /** What a payer may use: `src/store/ledger/`. */
  budget: true,
  /** Who is known by which subject of a provider. */
  'oidc-identity': true,
  'oidc-flow': false,
  passkey: true,
  /** The counter of its last use, without which a copied device could be used again. */
  'passkey-use': true,
  'passkey-challenge': false,
  /** Encrypted with the server's secret, which a backup doesn't have. */
  'maker-key': true,
  endpoint: true,
} as const satisfies Record<string, boolean>

export type RecordKind = keyof typeof inBackup

export const backedUpKinds = Object.entries(inBackup).flatMap(([kind, kept]) =>
  kept ? [kind as RecordKind] : [],
)

/** A backup that has another kind was changed by somebody: a sign-in in it would let them in. */
export const isBackedUp = (kind: string): kind is RecordKind => backedUpKinds.some(one => one === kind)
