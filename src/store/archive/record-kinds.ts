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
  audit: true,
  'sign-in': false,
  'key-use': false,
} as const satisfies Record<string, boolean>

export type RecordKind = keyof typeof inBackup

export const backedUpKinds = Object.entries(inBackup).flatMap(([kind, kept]) =>
  kept ? [kind as RecordKind] : [],
)

export const isRecordKind = (kind: string): kind is RecordKind => Object.hasOwn(inBackup, kind)
