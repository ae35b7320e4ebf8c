/** The ways in which a sealed vote can be divided, as far as they differ in how often tables are right. */

export const sealedSplits = ['unanimous', 'supermajority', 'majority', 'plurality', 'tie'] as const
export type SealedSplit = (typeof sealedSplits)[number]
